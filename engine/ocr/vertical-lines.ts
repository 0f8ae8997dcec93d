import { cropped, placeIn, type Bitmap, type Quad } from './bitmap.ts'
import { confidenceOf } from './ctc.ts'
import { inkOf, type Ink } from './ink.ts'
import { LINE_PX, type Networks } from './networks.ts'
import { turnedBox } from './read-lines.ts'
import type { Glyph, PdfFont } from '../pdf/page-model.ts'
import { medianOf } from '#shared/effects/math/median'

/** A character of a column: where its cell begins and ends along the column, in pixels of the page. */
interface Cell {
  readonly text: string
  readonly from: number
  readonly to: number
}

/** A line of text that runs downwards, its letters upright, as it was read. */
export interface ReadColumn {
  readonly box: Quad
  readonly cells: readonly Cell[]
  /** Of its letters, in pixels of the page. */
  readonly size: number
  readonly colour: string
  /** 0..1 */
  readonly confidence: number
}

/** What letters of a vertical line are set in: nothing tells more of their font. */
const SONG: PdfFont = { name: '宋体', isBold: false, isItalic: false, isSerif: true, isMonospace: false, isVertical: true, unit: 0.001 }

/** Letters stand so far from each other, in parts of how wide their ink is. */
const PITCHES = { least: 0.95, most: 1.7 }
/** A cell's height may differ from its neighbours' by this part. */
const UNEVEN = 0.45
/** What a cut through ink costs against one that is not where letters end. */
const THROUGH_INK = 6
/** Ink of a letter takes so much of its width. */
const INKED = 0.92
/** No more letters are read in one go. */
const LONGEST = 40
/** Below this nothing is said. */
const LEAST = 0.5

interface Cuts {
  readonly places: readonly number[]
  /** A cell, on the mean. */
  readonly cost: number
}

/** Where a column of ink is best cut into cells of about one height, by dynamic programming. */
function cutsAt(ink: Ink, from: number, to: number, pitch: number): Cuts {
  const best = new Float64Array(to - from + 1).fill(Infinity)
  const before = new Int32Array(to - from + 1)
  const count = new Int32Array(to - from + 1)
  best[0] = 0
  const [least, most] = [Math.max(1, Math.round(pitch * (1 - UNEVEN))), Math.round(pitch * (1 + UNEVEN))]
  for (let at = 1; at < best.length; at++)
    for (let length = Math.min(least, at); length <= Math.min(most, at); length++) {
      const through = at === best.length - 1 ? 0 : (ink.columns[from + at] ?? 0) / ink.height
      const cost = (best[at - length] ?? Infinity) + THROUGH_INK * through + ((length - pitch) / pitch) ** 2
      if (cost >= (best[at] ?? 0)) continue
      best[at] = cost
      before[at] = at - length
      count[at] = (count[at - length] ?? 0) + 1
    }
  const places: number[] = []
  for (let at = best.length - 1; at > 0; at = before[at] ?? 0) places.unshift(from + at)
  return { places: [from, ...places], cost: (best.at(-1) ?? Infinity) / Math.max(1, count.at(-1) ?? 1) }
}

/** How wide a column's ink is, and where it begins and ends along it. */
function spanOf(profile: Uint16Array, least: number): readonly [number, number] {
  const first = profile.findIndex((count) => count >= least)
  return first < 0 ? [0, profile.length] : [first, profile.findLastIndex((count) => count >= least) + 1]
}

/** The cells of a column: of all likely heights that whose cuts go through the least ink. */
function cellsOf(ink: Ink): { readonly places: readonly number[]; readonly wide: number } {
  const [from, to] = spanOf(ink.columns, 1)
  const [left, right] = spanOf(ink.rows, 2)
  const wide = Math.max(4, right - left)
  let best: Cuts = { places: [from, to], cost: Infinity }
  for (let pitch = PITCHES.least * wide; pitch <= PITCHES.most * wide; pitch++) {
    const cuts = cutsAt(ink, from, to, pitch)
    if (cuts.cost < best.cost - 1e-9) best = cuts
  }
  return { places: best.places, wide }
}

/** Cells of a column side by side, as a recogniser reads them. */
function sideBySide(bitmap: Bitmap, box: Quad, places: readonly number[], ground: string): Bitmap {
  const count = places.length - 1
  const width = Math.max(1, count) * LINE_PX
  const data = new Uint8Array(width * LINE_PX * 4).fill(255)
  const paper = [1, 3, 5].map((at) => Number.parseInt(ground.slice(at, at + 2), 16))
  for (let at = 0; at < data.length; at += 4) data.set(paper, at)
  for (let cell = 0; cell < count; cell++) {
    const [from = 0, to = 0] = [places[cell], places[cell + 1]]
    const share = LINE_PX / Math.max(box.width, to - from)
    const size = { width: Math.max(1, Math.floor(box.width * share)), height: Math.max(1, Math.floor((to - from) * share)) }
    const [x, y] = placeIn(box, box.width / 2, (from + to) / 2)
    const letter = cropped(bitmap, { x, y, width: box.width, height: to - from, angle: box.angle }, size)
    const [left, top] = [cell * LINE_PX + ((LINE_PX - size.width) >> 1), (LINE_PX - size.height) >> 1]
    for (let row = 0; row < size.height; row++)
      data.set(letter.data.subarray(row * size.width * 4, (row + 1) * size.width * 4), ((top + row) * width + left) * 4)
  }
  return { data, width, height: LINE_PX }
}

/** Reads a line that runs downwards; `most` cells of it where that is enough. */
export async function readColumn(bitmap: Bitmap, box: Quad, networks: Networks, most = Infinity): Promise<ReadColumn> {
  const ink = inkOf(bitmap, turnedBox(box, 1))
  const { places: all, wide } = cellsOf(ink)
  const places = all.slice(0, most + 1).map((place) => place * ink.scale)
  const cells: Cell[] = []
  const sure: number[] = []
  for (let start = 0; start < places.length - 1; start += LONGEST) {
    const part = places.slice(start, start + LONGEST + 1)
    const read = await networks.read(sideBySide(bitmap, box, part, ink.ground))
    const texts = part.slice(1).map(() => '')
    for (const { text, at } of read) {
      const cell = Math.min(texts.length - 1, Math.max(0, Math.floor(at * texts.length)))
      texts[cell] = (texts[cell] ?? '') + text.trim()
    }
    cells.push(...texts.map((text, at) => ({ text, from: part[at] ?? 0, to: part[at + 1] ?? 0 })))
    sure.push(confidenceOf(read) * read.length)
  }
  const said = cells.filter(({ text }) => text !== '')
  const total = sure.reduce((sum, one) => sum + one, 0)
  // A cell of which nothing was read is as good as an unsure one.
  const confidence = cells.length === 0 ? 0 : total / Math.max(cells.length, said.length)
  return { box, cells: said, size: (wide / INKED) * ink.scale, colour: ink.colour, confidence: Math.min(1, confidence) }
}

/** Whether a box is that of a line that runs downwards, on a page where lines do. */
export const isColumn = ({ width, height }: Quad): boolean => width < 1.5 * height

/** Reads a page's lines that run downwards; `step` is told before each. */
export async function readColumns(
  bitmap: Bitmap,
  boxes: readonly Quad[],
  networks: Networks,
  step: (share: number) => void,
): Promise<readonly ReadColumn[]> {
  const columns: ReadColumn[] = []
  for (const [at, box] of boxes.entries()) {
    step(at / boxes.length)
    const column = await readColumn(bitmap, box, networks)
    if (column.confidence >= LEAST && column.cells.length > 0) columns.push(column)
  }
  return columns
}

/** Sizes so near to each other are one. */
const ALIKE = 0.18

/** What columns are on a page whose pixels are so many points. */
export function columnGlyphs(columns: readonly ReadColumn[], points: number): readonly Glyph[] {
  const usual = medianOf(columns.flatMap(({ size, cells }) => cells.map(() => size * points))) ?? 0
  return columns.flatMap(({ box, cells, size: measured, colour }) => {
    const own = Math.abs(measured * points - usual) < ALIKE * usual ? usual : measured * points
    const size = Math.max(1, Math.round(own * 2) / 2)
    return cells.map(({ text, from, to }): Glyph => {
      const [, y] = placeIn(box, box.width / 2, from)
      const look = { font: SONG, colour: colour === '' ? '#000000' : colour, isHidden: false, isOutlined: false }
      return { text, x: box.x * points, y: y * points, advance: (to - from) * points, size, angle: 0, ...look }
    })
  })
}
