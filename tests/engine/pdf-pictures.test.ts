import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { testFolder } from '../fixtures/engine.ts'
import { paint, pdfWithPictures, picture } from '../fixtures/pdf-pictures.ts'
import { openPdf } from '#engine/pdf/open-pdf'
import type { PageModel, PlacedImage } from '#engine/pdf/page-model'

/** What pages show, each picture with its pixels in RGBA. */
async function shown(pdf: Buffer, use: (pages: PageModel[], folder: string) => Promise<void>): Promise<void> {
  await using folder = await testFolder()
  const path = join(folder.path, 'a.pdf')
  await writeFile(path, pdf)
  const pictures = join(folder.path, 'pictures')
  await mkdir(pictures)
  const open = await openPdf(path, { maxPages: 10, pictures })
  const pages: PageModel[] = []
  for (let number = 1; number <= open.pages; number++) pages.push(await open.page(number))
  await open.close()
  await use(pages, pictures)
}

const pixelsOf = async (image: PlacedImage | undefined): Promise<number[][]> => {
  const { data, info } = await sharp(image?.picture?.path ?? '')
    .ensureAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const rows: number[][] = []
  for (let at = 0; at < data.length; at += info.width * 4) rows.push([...data.subarray(at, at + info.width * 4)])
  return rows
}

const [RED, GREEN, BLUE, WHITE] = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 255],
]
const opaque = (...colours: (number[] | undefined)[]): number[] => colours.flatMap((colour = []) => [...colour, 255])
/** 8 × 4: red left, green right; the lower half blue left, white right. */
const quarters = Uint8Array.from(
  Array.from({ length: 32 }, (_, at) => {
    const [x, y] = [at % 8, at >> 3]
    return (y < 2 ? (x < 4 ? RED : GREEN) : x < 4 ? BLUE : WHITE) ?? []
  }).flat(),
)
const four = picture(8, 4, quarters)
const twice = (colour?: number[]): (number[] | undefined)[] => [colour, colour]
const times4 = (colour?: number[]): (number[] | undefined)[] => [...twice(colour), ...twice(colour)]

test('a picture comes out pixel for pixel where it stands, once however often it is painted', async () => {
  const content = paint('P0', '80 0 0 40 100 500') + paint('P0', '160 0 0 80 100 300')
  await shown(await pdfWithPictures([content, content], [four]), async ([first, second], folder) => {
    const [image, larger] = first?.images ?? []
    expect(image).toMatchObject({ left: 100, top: 260, right: 180, bottom: 300 })
    expect(larger).toMatchObject({ left: 100, top: 420, right: 260, bottom: 500 })
    const top = opaque(...times4(RED), ...times4(GREEN))
    const foot = opaque(...times4(BLUE), ...times4(WHITE))
    expect(await pixelsOf(image)).toEqual([top, top, foot, foot])
    expect(new Set([...(first?.images ?? []), ...(second?.images ?? [])].map((one) => one.picture?.path)).size).toBe(1)
    expect(await readdir(folder)).toHaveLength(1)
  })
})

test('a JPEG stays the very bytes it is, in RGB and grey', async () => {
  const noise = Buffer.from(Array.from({ length: 64 * 48 * 3 }, (_, at) => (at * 7919) % 251))
  const colour = await sharp(noise, { raw: { width: 64, height: 48, channels: 3 } })
    .blur(2)
    .jpeg({ quality: 70 })
    .toBuffer()
  const grey = await sharp(colour).greyscale().jpeg({ quality: 70 }).toBuffer()
  const streams = [
    picture(64, 48, colour, { Filter: 'DCTDecode' }),
    picture(64, 48, grey, { Filter: 'DCTDecode', ColorSpace: 'DeviceGray' }),
    picture(64, 48, grey, { Filter: 'DCTDecode', ColorSpace: 'DeviceGray', Decode: [1, 0] }),
  ]
  const content = streams.map((_, at) => paint(`P${at}`, `64 0 0 48 100 ${600 - at * 100}`)).join('')
  await shown(await pdfWithPictures([content], streams), async ([page]) => {
    const [first, second, third] = page?.images ?? []
    expect(await readFile(first?.picture?.path ?? '')).toEqual(colour)
    expect(await readFile(second?.picture?.path ?? '')).toEqual(grey)
    // Its range is the other way round, so its own stream would be a negative.
    const [dark, light] = await Promise.all(
      [second, third].map(async (one) => (await sharp(one?.picture?.path ?? '').stats()).channels[0]?.mean ?? 0),
    )
    expect((dark ?? 0) + (light ?? 0)).toBeGreaterThan(250)
    expect((dark ?? 0) + (light ?? 0)).toBeLessThan(260)
  })
})

test('turned and mirrored pictures are stored upright', async () => {
  const turns = ['0 80 -40 0 300 500', '-80 0 0 -40 300 500', '0 -80 40 0 300 500', '-80 0 0 40 300 500', '80 0 0 -40 300 500']
  const content = turns.map((matrix) => paint('P0', matrix)).join('')
  await shown(await pdfWithPictures([content], [four]), async ([page]) => {
    const corners = await Promise.all(
      (page?.images ?? []).map(async (image) => {
        const rows = await pixelsOf(image)
        const last = rows.at(-1) ?? []
        return [rows[0]?.slice(0, 3), rows[0]?.slice(-4, -1), last.slice(0, 3), last.slice(-4, -1)]
      }),
    )
    expect(corners).toEqual([
      [GREEN, WHITE, RED, BLUE],
      [WHITE, BLUE, GREEN, RED],
      [BLUE, RED, WHITE, GREEN],
      [GREEN, RED, WHITE, BLUE],
      [BLUE, WHITE, RED, GREEN],
    ])
    expect(page?.images[0]?.picture).toMatchObject({ width: 4, height: 8 })
  })
})

test('what is clipped away is not stored', async () => {
  const content = paint('P0', '80 0 0 40 100 500', '140 0 200 800 re W n') + paint('P0', '80 0 0 40 100 500', '0 0 50 50 re W n')
  await shown(await pdfWithPictures([content], [four]), async ([page]) => {
    expect(page?.images).toHaveLength(1)
    expect(page?.images[0]).toMatchObject({ left: 140, top: 260, right: 180, bottom: 300, picture: { width: 4, height: 4 } })
    expect((await pixelsOf(page?.images[0]))[0]).toEqual(opaque(...times4(GREEN)))
  })
})
