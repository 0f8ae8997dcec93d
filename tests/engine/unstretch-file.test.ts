import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { exifOf, ownSize, takenSize, turned } from '../fixtures/exif.mjs'
import { scanAt, withExif } from '../fixtures/jpeg.ts'
import { asHeld, randomFrom } from '../fixtures/pictures.ts'
import { roundScene } from '../fixtures/round-scenes.ts'
import { runAndRead } from '../fixtures/run-and-read.ts'
import { rememberedIn, sizesInXmp } from '#engine/image/exif'
import type { Size } from '#shared/resize'

/** A scene without circles or faces, 640 by 480: only its file can tell. */
const scene = await roundScene(7, 1, 0)
const other = await roundScene(8, 1, 0)

const sized = (source: Buffer, width: number, height: number): Sharp => sharp(source).resize(width, height, { fit: 'fill' })
const stretchedBy = (source: Buffer, times: number, { width, height }: Size = { width: 640, height: 480 }): Promise<Buffer> =>
  sized(source, Math.round(width * times), height)
    .png()
    .toBuffer()
const jpegOf = (picture: Buffer, exif: Buffer): Promise<Buffer> =>
  sharp(picture)
    .jpeg({ quality: 90 })
    .toBuffer()
    .then((bytes) => withExif(bytes, exif))
const small = (source: Buffer, width = 160, height = 120): Promise<Buffer> => sized(source, width, height).jpeg({ quality: 80 }).toBuffer()
const cut = (source: Buffer, left: number, top: number, width: number, height: number): Promise<Buffer> =>
  sharp(source).extract({ left, top, width, height }).png().toBuffer()

/** What becomes of a picture, as its proportions, and what is said of it. */
async function foundOf(picture: Buffer): Promise<{ ratio: number; note: unknown; isSame: boolean }> {
  const { output, bytes, seen } = await runAndRead('unstretch', picture, {})
  return { ratio: (seen.width ?? 0) / (seen.height ?? 1), note: output.note, isSame: bytes.equals(picture) }
}

const untouched = { note: { kind: 'no-stretch' }, isSame: true }

describe('a thumbnail of the whole', () => {
  test.each([0.7, 0.9, 1.12, 1.3])('tells exactly that a picture is %f times too wide', async (times) => {
    const { ratio, note } = await foundOf(await jpegOf(await stretchedBy(scene, times), exifOf({ thumbnail: await small(scene) })))
    expect(Math.abs(ratio / (4 / 3) - 1)).toBeLessThan(0.01)
    expect(note).toBeUndefined()
  })

  test('tells it with black bars around it, too', async () => {
    const film = await cut(scene, 0, 26, 640, 427)
    const bars = { top: 6, bottom: 7, background: '#000' }
    const thumbnail = await sharp(await sized(film, 160, 107).png().toBuffer())
      .extend(bars)
      .jpeg({ quality: 80 })
      .toBuffer()
    const picture = await stretchedBy(film, 1.25, { width: 640, height: 427 })
    const { ratio, note } = await foundOf(await jpegOf(picture, exifOf({ thumbnail })))
    expect(Math.abs(ratio / 1.5 - 1)).toBeLessThan(0.01)
    expect(note).toBeUndefined()
  })

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('lies as the sensor did: orientation %i', async (orientation) => {
    const thumbnail = await small(await asHeld(scene, orientation), ...(orientation > 4 ? ([120, 160] as const) : []))
    const main = { ...turned(orientation) }
    const file = await jpegOf(await asHeld(await stretchedBy(scene, 1.3), orientation), exifOf({ main, thumbnail, isMotorola: true }))
    const { ratio } = await foundOf(file)
    expect(Math.abs(ratio / (4 / 3) - 1)).toBeLessThan(0.01)
  })

  test('leaves alone what has its proportions', async () => {
    expect(await foundOf(await jpegOf(scene, exifOf({ thumbnail: await small(scene) })))).toMatchObject(untouched)
  })
})

describe('a thumbnail says nothing', () => {
  const exif = async (thumbnail: Buffer): Promise<Buffer> => exifOf({ main: ownSize(640, 480), taken: takenSize(640, 480), thumbnail })

  test.each([
    ['a side', 0, 0, 520, 480],
    ['two sides', 80, 0, 480, 480],
    ['above and below, as films are', 0, 60, 640, 360],
    ['all around', 60, 20, 500, 430],
    ['a little', 0, 0, 616, 480],
  ])('of a picture cut from it (%s), and its sizes neither', async (_, left, top, width, height) => {
    const picture = await jpegOf(await cut(scene, left, top, width, height), await exif(await small(scene)))
    expect(await foundOf(picture)).toMatchObject(untouched)
  })

  test('of a picture that shows more than it, or something else', async () => {
    const part = await small(await cut(scene, 0, 0, 520, 480), 130, 120)
    expect(await foundOf(await jpegOf(scene, exifOf({ thumbnail: part })))).toMatchObject(untouched)
    expect(await foundOf(await jpegOf(await stretchedBy(other, 1.3), exifOf({ thumbnail: await small(scene) })))).toMatchObject(untouched)
  })

  test('of a picture over which another was laid since', async () => {
    const veil = await sharp(other).ensureAlpha(0.6).png().toBuffer()
    const changed = await sharp(scene)
      .composite([{ input: veil }])
      .removeAlpha()
      .png()
      .toBuffer()
    const picture = await jpegOf(await stretchedBy(changed, 1.3), exifOf({ thumbnail: await small(scene) }))
    expect(await foundOf(picture)).toMatchObject(untouched)
  })

  test('that was made anew when the picture was cut: it has the picture’s proportions, whatever sizes are left', async () => {
    const picture = await cut(scene, 80, 0, 480, 480)
    expect(await foundOf(await jpegOf(picture, await exif(await small(picture, 120, 120))))).toMatchObject(untouched)
  })
})

const xmpOf = (said: string, inside = ''): Buffer =>
  Buffer.from(
    `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:tiff="http://ns.adobe.com/tiff/1.0/"${said}>${inside}</rdf:Description></rdf:RDF></x:xmpmeta>`,
  )

describe('a size that a file remembers', () => {
  const guess = { kind: 'guessed', by: 'file' }

  test.each([
    ['of what the camera took', exifOf({ taken: takenSize(4000, 3000) })],
    ['of its own picture, more than a SHORT holds', exifOf({ main: ownSize(80_000, 60_000), isMotorola: true })],
    ['as the sensor lay', exifOf({ main: turned(1), taken: takenSize(4032, 3024) })],
  ])('%s is a guess', async (_, exif) => {
    const { ratio, note } = await foundOf(await jpegOf(await stretchedBy(scene, 1.3), exif))
    expect(ratio).toBeCloseTo(4 / 3, 2)
    expect(note).toEqual(guess)
  })

  test('is turned as the picture is', async () => {
    const upright = await sharp(await stretchedBy(scene, 1.2))
      .rotate(90)
      .png()
      .toBuffer()
    const exif = exifOf({ main: turned(6), taken: takenSize(640, 480) })
    const { ratio } = await foundOf(await jpegOf(await asHeld(upright, 6), exif))
    expect(ratio).toBeCloseTo(3 / 4, 2)
  })

  test.each([
    ['attributes', xmpOf(' exif:PixelXDimension="4000" exif:PixelYDimension="3000"')],
    ['elements', xmpOf('', '<tiff:ImageWidth>4000</tiff:ImageWidth><tiff:ImageLength>3000</tiff:ImageLength>')],
  ])('is read from XMP: %s', async (_, packet) => {
    const picture = await sharp(await stretchedBy(scene, 1.3))
      .withXmp(packet.toString())
      .jpeg({ quality: 75 })
      .toBuffer()
    const { ratio, note } = await foundOf(picture)
    expect(ratio).toBeCloseTo(4 / 3, 2)
    expect(note).toEqual(guess)
  })

  test('is no reason where it has the picture’s proportions, as it lies or turned', async () => {
    for (const size of [takenSize(4000, 3000), takenSize(3000, 4000)])
      expect(await foundOf(await jpegOf(scene, exifOf({ taken: size })))).toMatchObject(untouched)
  })
})

const thumbnail = await small(scene)

describe('what a hostile file remembers', () => {
  const sane = exifOf({ main: { ...turned(6), ...ownSize(640, 480) }, taken: takenSize(640, 480), thumbnail })

  test('is nothing where sizes are none', () => {
    for (const [width, height] of [
      [0, 0],
      [640, 0],
      [0, 480],
      [0xffff_ffff, 0xffff_ffff],
    ] as const)
      expect(rememberedIn(exifOf({ main: ownSize(width, height), taken: takenSize(width, height) }))?.sizes).toEqual([])
    expect(rememberedIn(exifOf({ main: turned(9) }))?.orientation).toBe(1)
    expect(sizesInXmp(xmpOf(' tiff:ImageWidth="0" tiff:ImageLength="9" exif:PixelXDimension="-4" exif:PixelYDimension="x"'))).toEqual([])
    expect(rememberedIn(Buffer.from('no TIFF'))).toBeUndefined()
  })

  test('is no thumbnail where that lies outside', () => {
    expect(rememberedIn(sane)?.thumbnail?.equals(thumbnail)).toBe(true)
    for (const wrong of [{ 0x0201: 0xffff_fff0 }, { 0x0202: 0xffff_ffff }, { 0x0201: 4 }, { 0x0202: 0 }, { 0x0202: thumbnail.length + 1 }])
      expect(rememberedIn(exifOf({ thumbnail, small: wrong }))?.thumbnail).toBeUndefined()
  })

  test('is read without trouble, wherever a block ends and whatever its bytes are', () => {
    for (let end = 0; end < 200; end++) expect(() => rememberedIn(sane.subarray(0, end))).not.toThrow()
    const random = randomFrom(3)
    for (let round = 0; round < 2000; round++) {
      const broken = Buffer.from(sane.subarray(0, 400))
      for (let times = 0; times < 4; times++) broken[8 + Math.floor(random() * 140)] = random() < 0.5 ? 255 : Math.floor(random() * 256)
      expect(() => rememberedIn(broken)).not.toThrow()
    }
  })

  test('is no reason where its thumbnail does not decode, is huge or no JPEG', async () => {
    const huge = Buffer.from(thumbnail)
    const frame = huge.indexOf(Buffer.from([0xff, 0xc0]))
    huge.writeUInt16BE(60_000, frame + 5)
    huge.writeUInt16BE(60_000, frame + 7)
    const picture = await stretchedBy(scene, 1.3)
    for (const bad of [
      huge,
      Buffer.from([0xff, 0xd8]),
      Buffer.from([0xff]),
      thumbnail.subarray(0, scanAt(thumbnail)),
      await sharp(thumbnail).png().toBuffer(),
      await sized(thumbnail, 1200, 900).jpeg({ quality: 20 }).toBuffer(),
      await small(scene, 16, 12),
    ])
      expect(await foundOf(await jpegOf(picture, exifOf({ thumbnail: bad })))).toMatchObject(untouched)
  })
})
