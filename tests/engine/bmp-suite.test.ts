import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { corpusFiles } from '../fixtures/bitmaps.ts'
import { readBmp } from '#engine/codecs/bmp/read-bmp'
import type { Bitmap } from '#engine/codecs/bmp/samples'
import { pngChunk, withChunks } from '#engine/image/png-chunks'
import { localLimits } from '#engine/limits'
import { toWire } from '#shared/errors/app-error'

const read = (file: Buffer): Promise<Bitmap> => readBmp(file, localLimits)
const codeOf = (file: Buffer): Promise<string> =>
  read(file).then(
    () => 'read',
    (thrown: unknown) => toWire(thrown).code,
  )

describe('bmpsuite, where it is at hand', () => {
  const suite = new Map(corpusFiles('bmp'))
  const hasSuite = suite.size > 0
  // Its list shows the same picture for each of a line.
  const alike = [
    ['pal8.bmp', 'pal8rle.bmp', 'pal8topdown.bmp', 'pal8os2sp.bmp', 'pal8os2v2.bmp', 'pal8v4.bmp', 'pal8v5.bmp', 'pal8oversizepal.bmp'],
    ['rgb32bf.bmp', 'rgb32bfdef.bmp', 'rgb32-xbgr.bmp', 'rgb32fakealpha.bmp', 'rgb24lprof.bmp'],
    ['rgb16.bmp', 'rgb16faketrns.bmp'],
    ['rgb16-565.bmp', 'rgb16-565pal.bmp'],
    ['pal1.bmp', 'pal1wb.bmp'],
  ]
  const named = (name: string): Buffer => suite.get(name) ?? Buffer.alloc(0)

  test.skipIf(!hasSuite)('every good and questionable file is read', async () => {
    for (const [name, file] of suite) expect({ name, code: await codeOf(file) }).toEqual({ name, code: 'read' })
  })

  test.skipIf(!hasSuite)('files of one picture look the same', async () => {
    for (const [first = '', ...others] of alike) {
      const wanted = await read(named(first))
      for (const name of others) expect({ name, same: (await read(named(name))).data.equals(wanted.data) }).toEqual({ name, same: true })
    }
  })

  test.skipIf(!hasSuite)('a profile that swaps red and green comes along and swaps them back', async () => {
    const { data, width, height, channels, icc = Buffer.alloc(0) } = await read(named('rgb24prof2.bmp'))
    const png = await sharp(data, { raw: { width, height, channels } }).png().toBuffer()
    const tagged = withChunks(png, pngChunk('iCCP', Buffer.concat([Buffer.from('icc\0\0', 'latin1'), deflateSync(icc)])))
    const shown = await sharp(tagged).toColourspace('srgb').raw().toBuffer()
    const wanted = (await read(named('rgb32bf.bmp'))).data
    const error = shown.reduce((sum, value, index) => sum + Math.abs(value - (wanted[index] ?? 0)), 0) / shown.length
    expect(error).toBeLessThan(6)
    expect(data.reduce((sum, value, index) => sum + Math.abs(value - (wanted[index] ?? 0)), 0) / data.length).toBeGreaterThan(12)
  })

  test.skipIf(!hasSuite)('every bad file is refused', async () => {
    for (const [name, file] of corpusFiles('bmp_bad')) expect({ name, code: await codeOf(file) }).toEqual({ name, code: 'file.unreadable' })
  })
})
