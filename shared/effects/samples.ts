import type { Rgb } from './effect.ts'
import { cutRgb } from './parts.ts'

/** Side of a sample, in pixels; a picture of not much more than all samples is taken whole. */
const SIDE = 320
const ACROSS = 3

/** What stands for a picture where its finest detail is measured: the whole of a small one, else nine squares spread over it, at its own size. */
export function samplesOf(picture: Rgb): readonly Rgb[] {
  const { width, height } = picture
  if (width * height <= 1.5 * (SIDE * ACROSS) ** 2) return [picture]
  const [wide, high] = [Math.min(SIDE, width), Math.min(SIDE, height)]
  const at = (which: number, room: number): number => Math.round((room * (which + 0.5)) / ACROSS)
  return Array.from({ length: ACROSS ** 2 }, (_, which) => {
    const [column, row] = [which % ACROSS, Math.floor(which / ACROSS)]
    return cutRgb(picture, { left: at(column, width - wide), top: at(row, height - high), width: wide, height: high })
  })
}
