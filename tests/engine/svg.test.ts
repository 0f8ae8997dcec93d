import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { openConversions } from '../fixtures/conversions.ts'
import { photo } from '../fixtures/pictures.ts'
import { renderSvg } from '#engine/codecs/svg/render-svg'
import { localLimits } from '#engine/limits'
import { sniff } from '#engine/image/sniff'
import { AppError } from '#shared/errors/app-error'
import { policy } from '#engine/codecs/magick/coders'

const { converted, folder, close } = await openConversions()
afterAll(close)

const toPng = (file: string | Buffer, name = 'a.svg'): Promise<Buffer> => converted(file, name, { format: 'png' })

const svg = (body: string, size = 'width="40" height="30"'): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}>${body}</svg>`

const pixel = async (png: Buffer, x: number, y: number): Promise<number[]> => {
  const { data, info } = await sharp(png).toColourspace('srgb').ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return [...data.subarray((y * info.width + x) * 4, (y * info.width + x) * 4 + 4)]
}

test('a drawing is drawn at its own size, clear where nothing is', async () => {
  const png = await toPng(svg('<rect x="10" width="30" height="30" fill="#00ff00"/>'))
  expect(await sharp(png).metadata()).toMatchObject({ width: 40, height: 30 })
  expect(await pixel(png, 30, 10)).toEqual([0, 255, 0, 255])
  expect((await pixel(png, 3, 3))[3]).toBe(0)
})

test('pictures elsewhere are not fetched, from the network or the disk', async () => {
  let calls = 0
  const server = createServer((_, response) => {
    calls += 1
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const secret = join(folder, 'secret.png')
  await writeFile(secret, await photo(40, 30).png().toBuffer())
  const outer = (url: string): string => `<image width="40" height="30" xlink:href="${url}"/>`
  for (const url of [`http://127.0.0.1:${port}/x.png`, `file://${secret}`, secret]) {
    const png = await toPng(svg(outer(url)))
    expect({ url, alpha: (await pixel(png, 20, 15))[3] }).toEqual({ url, alpha: 0 })
  }
  server.close()
  expect(calls).toBe(0)
})

test('an outer entity brings in no file', async () => {
  const secret = join(folder, 'secret.txt')
  await writeFile(secret, '<rect width="40" height="30" fill="red"/>')
  const file = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file://${secret}">]>${svg('&x;')}`
  const alpha = await toPng(file).then(
    async (png) => (await pixel(png, 20, 15))[3],
    (error: unknown) => error,
  )
  expect([0, 'file.unreadable']).toContain(alpha instanceof AppError ? alpha.code : alpha)
})

test('a billion laughs, a huge canvas and a filter without end fail cleanly, and others are served meanwhile', async () => {
  const levels = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('')
  const laughs = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY l0 "lol">${levels}]>${svg('<text>&l9;</text>')}`
  await expect(toPng(laughs)).rejects.toMatchObject({ code: expect.stringMatching(/^(file\.unreadable|job\.timed-out)$/) })
  await expect(toPng(svg('', 'width="30000" height="30000"'))).rejects.toMatchObject({ code: 'image.too-many-pixels' })
  const endless = svg(
    '<filter id="f"><feTurbulence numOctaves="2000" baseFrequency="0.9"/></filter><rect width="3000" height="3000" filter="url(#f)"/>',
    'width="3000" height="3000"',
  )
  const bomb = toPng(endless).then(
    () => 'drawn',
    (error: unknown) => error,
  )
  for (let round = 0; round < 3; round++) {
    expect((await sharp(await toPng(await photo(64, 48).jpeg().toBuffer(), 'a.jpg')).metadata()).width).toBe(64)
  }
  expect(await bomb).toMatchObject({ code: 'job.timed-out' })
  expect((await sharp(await toPng(svg('<rect width="9" height="9"/>'))).metadata()).width).toBe(40)
})

test('what is no picture stays out, whatever it is called', () => {
  const texts: readonly (readonly [string, string])[] = [
    ['<?xml version="1.0"?><image><read filename="/etc/passwd"/></image>', 'a.svg'],
    ['push graphic-context\nviewbox 0 0 9 9', 'a.mvg'],
    ['viewbox 0 0 640 480 image over 0,0 0,0 "https://x"', 'a.tga'],
    ['%!PS-Adobe-3.0 EPSF-3.0\n', 'a.aai'],
    ['%PDF-1.4\n1 0 obj', 'a.wbmp'],
    ['MZ\u0090\0\u0003\0\0\0\u0004\0\0\0\u00ff\u00ff\0\0\0\0', 'a.palm'],
    ['PK\u0003\u0004\u0014\0\0\0\0\0aaaaaaaaaaaa', 'a.avs'],
    ['\0\0\0\u0018ftypmp42\0\0\0\0mp42isom\0\0\0\u0008free', 'a.heic'],
    ['\0\0\0\u0014ftypqt  \0\0\0\0qt  \0\0\0\u0008wide', 'a.heic'],
    ['<html><body><svg xmlns="http://www.w3.org/2000/svg"/></body></html>', 'a.svg'],
    ['#!/bin/sh\nid', 'a.mtv'],
  ]
  for (const [text, name] of texts) expect({ name, is: sniff(Buffer.from(text, 'latin1'), name) }).toEqual({ name, is: undefined })
})

test("ImageMagick's policy names no coder that runs, fetches or draws text", () => {
  const named = [...policy.matchAll(/rights="(?:read|write|read\|write)" pattern="([^"]+)"/g)].map(([, coder]) => coder)
  const refused: ReadonlySet<string | undefined> = new Set([
    'MSL',
    'MVG',
    'SVG',
    'MSVG',
    'URL',
    'HTTP',
    'HTTPS',
    'FTP',
    'FILE',
    'TEXT',
    'TXT',
    'LABEL',
    'CAPTION',
    'PS',
    'EPS',
    'PDF',
    'EPDF',
    'EPI',
    'AI',
    'XPS',
    'TTF',
    'PFA',
    'MP4',
    'AVI',
    'MPC',
    'INLINE',
    'DATA',
    'SCREENSHOT',
    'VID',
    'PANGO',
    'XC',
    'CLIP',
    'MASK',
  ])
  expect(named.filter((coder) => refused.has(coder))).toEqual([])
  expect(policy).toMatch(/rights="none" pattern="\*"\/>\n\s+<policy domain="coder" rights="(?!none)/)
})

test('a process that can start no others draws by itself, and keeps the loader shut besides', async () => {
  const path = join(folder, 'inside.svg')
  await writeFile(path, svg('<rect width="40" height="30" fill="#0000ff"/>'))
  sharp.block({ operation: ['VipsForeignLoadSvg'] })
  try {
    const drawn = await renderSvg({ path, limits: localLimits })
    if (!('png' in drawn)) throw new Error(drawn.error.code)
    expect(await pixel(Buffer.from(drawn.png), 5, 5)).toEqual([0, 0, 255, 255])
    await expect(sharp(path).metadata()).rejects.toThrow('unsupported image format')
    await writeFile(path, 'no drawing')
    expect(await renderSvg({ path, limits: localLimits })).toMatchObject({ error: { code: 'file.unreadable' } })
  } finally {
    sharp.unblock({ operation: ['VipsForeignLoadSvg'] })
  }
})
