import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { openConversions } from '../fixtures/conversions.ts'
import { photo } from '../fixtures/pictures.ts'

const { convert, converted, close } = await openConversions()
afterAll(close)

describe('what a photo carries', () => {
  const exif = {
    IFD0: { Make: 'Kamera', ImageDescription: 'a' },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '31/1 13/1 59/1', GPSDateStamp: '2024:05:06' },
  }
  const xmp =
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/" exif:GPSLatitude="31,13.9N" dc:source="studio"/></rdf:RDF></x:xmpmeta>'
  const shot = () => photo(80, 60).withExif(exif).withXmp(xmp).jpeg({ quality: 92 }).toBuffer()

  test('goes unless it is asked for', async () => {
    const source = await shot()
    expect(source.includes('2024:05:06')).toBe(true)
    for (const format of ['png', 'webp', 'jpeg', 'avif', 'tiff'] as const) {
      const { exif: left, xmp: packet } = await sharp(await converted(source, 'a.jpg', { format })).metadata()
      expect({ format, left, packet }).toEqual({ format, left: undefined, packet: undefined })
    }
  })

  /** EXIF and XMP as sharp reads them; of a JPEG XL, which it does not know, the file itself (its boxes are not packed). */
  async function told(file: Buffer, format: string): Promise<string> {
    if (format === 'jxl') return file.toString('latin1')
    const { exif: block, xmp: packet } = await sharp(file).metadata()
    return `${block?.toString('latin1')} ${packet?.toString('latin1')}`
  }

  test.each(['png', 'webp', 'jpeg', 'avif', 'jxl'] as const)(
    'stays in %s without the place, and with it only on request',
    async (format) => {
      const kept = await told(await converted(await shot(), 'a.jpg', { format, keepMetadata: true }), format)
      expect(kept).toContain('Kamera')
      expect(kept).toContain('studio')
      expect(kept).not.toMatch(/2024:05:06|31,13\.9N/)
      const placed = await told(await converted(await shot(), 'a.jpg', { format, keepMetadata: true, keepLocation: true }), format)
      expect(placed).toMatch(/2024:05:06[\s\S]*31,13\.9N/)
    },
  )

  test('is named when the format has no room for it', async () => {
    expect(await convert(await shot(), 'a.jpg', { format: 'bmp', keepMetadata: true })).toMatchObject([{ note: { kind: 'stripped' } }])
  })

  test('in colours beyond sRGB becomes sRGB, or keeps them with the profile', async () => {
    const red = sharp({ create: { width: 32, height: 32, channels: 3, background: '#c04020' } })
    const source = await red.withIccProfile('p3').png().toBuffer()
    const plain = await sharp(await converted(source, 'a.png', { format: 'webp', quality: 100 }))
      .raw()
      .toBuffer({ resolveWithObject: true })
    expect(Math.abs((plain.data[0] ?? 0) - 0xc0)).toBeLessThanOrEqual(2)
    const kept = await converted(source, 'a.png', { format: 'webp', quality: 100, keepProfile: true })
    expect((await sharp(kept).metadata()).hasProfile).toBe(true)
    const shown = await sharp(kept).toColourspace('srgb').raw().toBuffer()
    expect(Math.abs((shown[0] ?? 0) - 0xc0)).toBeLessThanOrEqual(2)
  })
})
