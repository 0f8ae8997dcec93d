import { pipelineOf } from '../image/pixels.ts'
import type { Bitmap, Quad } from './bitmap.ts'
import { textBoxes } from './boxes.ts'
import type { Networks } from './networks.ts'

/** The detector is shown a page of A4 at 110 dpi, where letters of 9 points are 14 pixels high; larger pages at no less until this many pixels. */
const SHOWN = 0.55
const LEAST_LONG_PX = 1280
const MOST_LONG_PX = 1920
/** What its sides must be multiples of. */
const STEP = 32

const stepped = (length: number): number => Math.max(STEP, Math.round(length / STEP) * STEP)

/** The boxes of the lines on a page, in its pixels. */
export async function findLines(bitmap: Bitmap, networks: Networks): Promise<readonly Quad[]> {
  const long = Math.max(bitmap.width, bitmap.height)
  const scale = Math.min(1.5, Math.min(MOST_LONG_PX, Math.max(LEAST_LONG_PX, long * SHOWN)) / long)
  const [width, height] = [stepped(bitmap.width * scale), stepped(bitmap.height * scale)]
  const data = await pipelineOf({ ...bitmap, data: Buffer.from(bitmap.data.buffer), channels: 4 })
    .resize({ width, height, fit: 'fill', kernel: scale < 1 ? 'lanczos2' : 'cubic' })
    .raw()
    .toBuffer()
  const [perX, perY] = [bitmap.width / width, bitmap.height / height]
  // The two differ by less than a step, which turns a leaning box by next to nothing.
  return textBoxes(await networks.detect({ data, width, height })).map(({ x, y, width: wide, height: high, angle }) => ({
    x: x * perX,
    y: y * perY,
    width: wide * perX,
    height: high * perY,
    angle,
  }))
}
