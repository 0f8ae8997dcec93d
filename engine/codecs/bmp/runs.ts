import { refuse } from './dib.ts'

/** What the runs of a picture fill: its sides in pixels and its bits a pixel. */
interface Canvas {
  readonly width: number
  readonly height: number
  readonly bits: number
}

const END_OF_LINE = 0
const END_OF_BITMAP = 1
const DELTA = 2

/**
 * Walks run-length coded samples (RLE4, RLE8 and OS/2's RLE24): calls `paint` for each pixel they give, with its column, its
 * row from the bottom, and where its byte is; for RLE4 `isLow` tells which half. Returns how many they were: deltas and early
 * ends leave others out. Throws `file.unreadable` when a run leaves the picture, or the data stop before their end.
 */
export function walkRuns(
  data: Buffer,
  { width, height, bits }: Canvas,
  paint: (x: number, y: number, at: number, isLow: boolean) => void,
): number {
  const bytesOf = (pixels: number): number => (bits === 4 ? (pixels + 1) >> 1 : (pixels * bits) >> 3)
  // ImageMagick among others writes rows with the padding that plain ones would have.
  const edge = bits === 24 ? width : (Math.ceil((width * bits) / 32) * 32) / bits
  let [at, x, y, painted] = [0, 0, 0, 0]
  const put = (count: number, from: number, isRepeated: boolean): void => {
    if (y >= height || x + count > edge || from + (isRepeated ? bytesOf(bits === 4 ? 2 : 1) : bytesOf(count)) > data.length) refuse()
    const inside = Math.max(0, Math.min(count, width - x))
    for (let i = 0; i < inside; i++) {
      const isLow = bits === 4 && (i & 1) === 1
      paint(x + i, y, isRepeated ? from : from + (bits === 4 ? i >> 1 : (i * bits) >> 3), isLow)
    }
    painted += inside
    x += count
  }
  while (at + 1 < data.length) {
    const count = data[at] ?? 0
    const value = data[at + 1] ?? 0
    if (count > 0) {
      put(count, at + 1, true)
      at += 1 + bytesOf(bits === 4 ? 2 : 1)
    } else if (value > DELTA) {
      put(value, at + 2, false)
      at += 2 + bytesOf(value) + (bytesOf(value) & 1)
    } else if (value === END_OF_BITMAP) {
      return painted
    } else if (value === END_OF_LINE) {
      if (y >= height) refuse()
      at += 2
      x = 0
      y++
    } else {
      if (at + 3 >= data.length) refuse()
      x += data[at + 2] ?? 0
      y += data[at + 3] ?? 0
      at += 4
      if (x > edge || y > height) refuse()
    }
  }
  // Only the end's mark may be missing.
  return painted === width * height ? painted : refuse()
}
