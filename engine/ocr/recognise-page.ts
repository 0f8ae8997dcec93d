import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { cropped, greyOf, type Bitmap } from './bitmap.ts'
import { cellFills } from './cell-fills.ts'
import { lineGlyphs } from './line-glyphs.ts'
import { measureLine } from './measure-line.ts'
import type { Networks } from './networks.ts'
import { paintedPage } from './painted-page.ts'
import { picturesOf, redness, type PictureArea } from './pictures.ts'
import { readLines, type ReadLine } from './read-lines.ts'
import { ruleOf, rulingsOf } from './rulings.ts'
import { upright } from './upright.ts'
import { columnGlyphs, isColumn, readColumns } from './vertical-lines.ts'
import type { PageModel, PlacedImage, StoredPicture } from '../pdf/page-model.ts'

/** A picture of a page, and what is to be made of it. */
export interface PagePicture {
  readonly bitmap: Bitmap
  readonly dpi: number
  /** From 1. */
  readonly number: number
  /** A folder that pictures are written to; none are kept where this is left out. */
  readonly folder?: string
  /** Told how much is done, 0..1. */
  readonly step?: (share: number) => void
}

const POINTS_PER_INCH = 72
const JPEG_QUALITY = 88

/** A part of a page as a file: a photo as it is, of a seal only what is red. */
async function stored(bitmap: Bitmap, { left, top, width, height, isSeal }: PictureArea, path: string): Promise<StoredPicture> {
  const size = { width: Math.round(width), height: Math.round(height) }
  const part = cropped(bitmap, { x: left + width / 2, y: top + height / 2, width, height, angle: 0 }, size)
  if (isSeal)
    for (let at = 0; at < size.width * size.height; at++) part.data[at * 4 + 3] = Math.max(0, Math.min(255, redness(part, at) * 3))
  const raw = sharp(part.data, { raw: { ...size, channels: 4 } })
  const file = isSeal ? await raw.png().toBuffer() : await raw.removeAlpha().jpeg({ quality: JPEG_QUALITY }).toBuffer()
  await writeFile(path, file)
  return { path, format: isSeal ? 'png' : 'jpeg', bytes: file.length, ...size }
}

async function placedPictures(bitmap: Bitmap, areas: readonly PictureArea[], page: PagePicture): Promise<readonly PlacedImage[]> {
  const { folder, number, dpi } = page
  if (folder === undefined) return []
  const points = POINTS_PER_INCH / dpi
  const placed: PlacedImage[] = []
  for (const [at, area] of areas.entries()) {
    const [left, top, width, height] = [area.left * points, area.top * points, area.width * points, area.height * points]
    const picture = await stored(bitmap, area, join(folder, `page-${number}-${at}.${area.isSeal ? 'png' : 'jpg'}`))
    placed.push({ left, top, right: left + width, bottom: top + height, map: [width, 0, 0, -height, left, top + height], picture })
  }
  return placed
}

/** Whether a line is the writing on a seal: red as it, and inside of it. */
function isOnSeal({ box, confidence }: ReadLine, areas: readonly PictureArea[]): boolean {
  return areas.some(
    ({ isSeal, left, top, width, height }) =>
      isSeal && confidence < 0.9 && box.x > left && box.x < left + width && box.y > top && box.y < top + height && box.width < width,
  )
}

/**
 * What stands on a page by its picture: text that was recognised, rules and, where there is a folder for them, pictures and what else is painted. The page comes back upright
 * and level. Where nothing can be read, no glyphs come back.
 */
export async function recognisePage(page: PagePicture, networks: Networks): Promise<PageModel> {
  const { dpi, number, step = () => {} } = page
  const { bitmap, boxes, isVertical } = await upright(page.bitmap, networks)
  const [down, across] = [boxes.filter((box) => isVertical && isColumn(box)), boxes.filter((box) => !isVertical || !isColumn(box))]
  const part = down.length / Math.max(1, boxes.length)
  const columns = await readColumns(bitmap, down, networks, (share) => step(share * part))
  const lines = await readLines(bitmap, across, networks, (share) => step(part + share * (1 - part)))
  const points = POINTS_PER_INCH / dpi
  const rulings = rulingsOf({ ...bitmap, grey: greyOf(bitmap) }, boxes, dpi)
  const areas = picturesOf(
    bitmap,
    [...lines, ...columns].map(({ box }) => box),
    rulings,
    dpi,
  )
  const measured = lines.filter((line) => !isOnSeal(line, areas)).map((line) => measureLine(bitmap, line))
  const seen = {
    width: bitmap.width * points,
    height: bitmap.height * points,
    rules: rulings.map((ruling) => ruleOf(bitmap, ruling, points)),
    images: await placedPictures(bitmap, areas, page),
  }
  return {
    ...seen,
    number,
    glyphs: [...columnGlyphs(columns, points), ...lineGlyphs(measured, points)],
    fills: cellFills(measured, rulings, points),
    ...(page.folder !== undefined && { painted: paintedPage(seen) }),
  }
}
