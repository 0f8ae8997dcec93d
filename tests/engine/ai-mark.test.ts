import exifr from 'exifr'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { colourAt, readPicture } from '../fixtures/oracle.ts'
import { photo } from '../fixtures/pictures.ts'
import { withAiMark, type MarkedId } from '#engine/image/ai-mark'
import { withDpi } from '#engine/image/density/density'

/** The XMP packet of a file, found there by another program. */
const packetOf = async (file: Buffer): Promise<string> => (await sharp(file).metadata()).xmp?.toString('utf8') ?? ''

/** The mark's properties as exifr reads them. It knows no WebP: a packet from there is read out of a JPEG. */
async function markOf(file: Buffer, format: MarkedId): Promise<{ aigc: Record<string, unknown>; source: unknown }> {
  const known =
    format === 'webp'
      ? await photo(8, 8)
          .withXmp(await packetOf(file))
          .jpeg()
          .toBuffer()
      : file
  const { TC260, Iptc4xmpExt } = await exifr.parse(known, { xmp: true, mergeOutput: false })
  return { aigc: JSON.parse(TC260.AIGC), source: Iptc4xmpExt.DigitalSourceType }
}

const sourceOf: Readonly<Record<MarkedId, () => Promise<Buffer>>> = {
  png: () => photo(40, 30).ensureAlpha(0.5).png().toBuffer(),
  webp: () => photo(40, 30).ensureAlpha(0.5).webp({ lossless: true }).toBuffer(),
  jpeg: () => photo(40, 30).jpeg().toBuffer(),
}

test.each(['png', 'webp', 'jpeg'] as const)('a %s says that a model made it, and shows what it showed', async (format) => {
  const source = await sourceOf[format]()
  const marked = withAiMark(source, format, '某某公司')
  const { aigc, source: sourceType } = await markOf(marked, format)
  expect(aigc).toMatchObject({ Label: '1', ContentProducer: '某某公司' })
  expect(aigc['ProduceID']).toMatch(/^[0-9a-f]{32}$/)
  expect(sourceType).toBe('http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicallyEnhanced')
  expect(readPicture(marked, format).data).toEqual(readPicture(source, format).data)
  expect(await sharp(marked).raw().toBuffer()).toEqual(await sharp(source).raw().toBuffer())
})

test.each(['png', 'webp', 'jpeg'] as const)('the density of a %s stays', async (format) => {
  const marked = withAiMark(withDpi(await sourceOf[format](), format, 300), format)
  expect((await markOf(marked, format)).aigc).toMatchObject({ ContentProducer: '轻图' })
  const { density, exif } = await sharp(marked).metadata()
  if (format === 'webp') expect(exif).toBeDefined()
  else expect(density).toBe(300)
})

test('a simple WebP without transparency keeps its colours', async () => {
  const source = await photo(40, 30).webp({ quality: 90 }).toBuffer()
  const marked = withAiMark(source, 'webp')
  expect((await markOf(marked, 'webp')).aigc['Label']).toBe('1')
  expect(colourAt(readPicture(marked), 5, 5)).toEqual(colourAt(readPicture(source), 5, 5))
})

test('the number of a content is its own', async () => {
  const [first, again, other] = [await sourceOf.png(), await sourceOf.png(), await photo(41, 30).png().toBuffer()]
  const ids = await Promise.all([first, again, other].map(async (file) => (await markOf(withAiMark(file, 'png'), 'png')).aigc['ProduceID']))
  expect(ids[0]).toBe(ids[1])
  expect(ids[0]).not.toBe(ids[2])
})

test('a name with signs of markup in it leaves the packet whole', async () => {
  expect(await packetOf(withAiMark(await sourceOf.png(), 'png', 'A & <B>'))).toContain('"ContentProducer":"A &#38; &#60;B&#62;"')
})
