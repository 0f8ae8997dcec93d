import { cropped, greyOf, type Bitmap, type Quad } from './bitmap.ts'
import { colourOfLevels } from '../pdf/colour.ts'

/** What is written in a line's box, as ink or no ink, so many pixels high. */
export interface Ink {
  readonly mask: Uint8Array
  readonly width: number
  readonly height: number
  /** Pixels of the page in one of these. */
  readonly scale: number
  /** The mean of the ink, `#rrggbb`. */
  readonly colour: string
  /** Of what it stands on, where that is no white. */
  readonly ground: string
  /** Ink in each column, without lines that are no letters. */
  readonly columns: Uint16Array
  readonly rows: Uint16Array
  /** How thick strokes are, in pixels. */
  readonly stroke: number
}

const HEIGHT = 64
/** A column or row at a box's edge so full of ink is a rule. */
const RULE = 0.85

/** The level that parts dark from light best (Otsu 1979). */
export function otsu(grey: Uint8Array): number {
  const counts = new Uint32Array(256)
  for (const level of grey) counts[level] = (counts[level] ?? 0) + 1
  let total = 0
  for (let level = 0; level < 256; level++) total += level * (counts[level] ?? 0)
  let [below, sum, best, threshold] = [0, 0, -1, 128]
  for (let level = 0; level < 255; level++) {
    below += counts[level] ?? 0
    sum += level * (counts[level] ?? 0)
    const above = grey.length - below
    if (below === 0 || above === 0) continue
    const between = below * above * (sum / below - (total - sum) / above) ** 2
    if (between > best) [best, threshold] = [between, level]
  }
  return threshold
}

const hex = (sum: readonly number[], count: number): string => colourOfLevels(sum.map((value) => value / Math.max(1, count)))

/** The mean colours of ink and ground; of ink where it is all around, for edges are neither. */
function coloursOf({ data, width }: Bitmap, mask: Uint8Array): { colour: string; ground: string } {
  const sums = [
    [0, 0, 0],
    [0, 0, 0],
  ]
  const counts = [0, 0]
  for (let at = 0; at < mask.length; at++) {
    const kind = mask[at] ?? 0
    const isEdge = [at - 1, at + 1, at - width, at + width].some((beside) => mask[beside] !== kind)
    const sum = sums[kind]
    if (!sum || isEdge) continue
    counts[kind] = (counts[kind] ?? 0) + 1
    for (let channel = 0; channel < 3; channel++) sum[channel] = (sum[channel] ?? 0) + (data[at * 4 + channel] ?? 0)
  }
  return { ground: hex(sums[0] ?? [], counts[0] ?? 0), colour: hex(sums[1] ?? [], counts[1] ?? 0) }
}

/** Clears rules along a box's sides out of its mask. */
function clearRules(mask: Uint8Array, width: number, height: number): void {
  const isRule = (start: number, step: number, count: number): boolean => {
    let ink = 0
    for (let at = 0; at < count; at++) ink += mask[start + at * step] ?? 0
    return ink > RULE * count
  }
  for (let y = 0; y < height; y++) {
    if ((y < height * 0.2 || y > height * 0.8) && width > height && isRule(y * width, 1, width)) mask.fill(0, y * width, (y + 1) * width)
  }
  for (let x = 0; x < width; x++) {
    const isSide = x < height * 0.3 || x > width - height * 0.3
    if (isSide && isRule(x, width, height)) for (let y = 0; y < height; y++) mask[y * width + x] = 0
  }
}

/** Area over half of the outline: as thick as a stroke is. */
function strokeOf(mask: Uint8Array, width: number): number {
  let [area, outline] = [0, 0]
  for (let at = width; at < mask.length; at++) {
    area += mask[at] ?? 0
    outline += Number(mask[at] !== mask[at - 1]) + Number(mask[at] !== mask[at - width])
  }
  return outline === 0 ? 0 : (2 * area) / outline
}

/** The ink in a line's box; light letters on dark ground count as ink, too. */
export function inkOf(bitmap: Bitmap, box: Quad): Ink {
  const width = Math.max(1, Math.round((box.width / box.height) * HEIGHT))
  const crop = cropped(bitmap, box, { width, height: HEIGHT })
  const grey = greyOf(crop)
  const threshold = otsu(grey)
  let edge = 0
  for (let x = 0; x < width; x++) edge += Number((grey[x] ?? 0) > threshold) + Number((grey[(HEIGHT - 1) * width + x] ?? 0) > threshold)
  const isDark = edge >= width
  const mask = Uint8Array.from(grey, (level) => Number(level > threshold !== isDark))
  const colours = coloursOf(crop, mask)
  clearRules(mask, width, HEIGHT)
  const columns = new Uint16Array(width)
  const rows = new Uint16Array(HEIGHT)
  for (let y = 0, at = 0; y < HEIGHT; y++)
    for (let x = 0; x < width; x++, at++) {
      columns[x] = (columns[x] ?? 0) + (mask[at] ?? 0)
      rows[y] = (rows[y] ?? 0) + (mask[at] ?? 0)
    }
  return { mask, width, height: HEIGHT, scale: box.height / HEIGHT, ...colours, columns, rows, stroke: strokeOf(mask, width) }
}
