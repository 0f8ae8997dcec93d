import { flattened, widened } from '../image/frames.ts'
import { hasAlpha, type Pixels } from '../image/pixels.ts'
import type { Matte } from '#shared/matte/matte'

/** A still picture with its transparency told apart from its colours, each in three channels. */
export interface Opacity {
  /** What is seen of it, on white. */
  readonly seen: Pixels
  /** Its colours, transparent or not; the same as `seen` where nothing is transparent. */
  readonly colours: Pixels
  /** How opaque it is, where it is not all through. */
  readonly own?: Matte
}

/** A picture of which less is transparent has its corners rounded, and its ground still to be taken away. */
const CUT_OUT_SHARE = 0.05

/** Tells a still picture's transparency from its colours. */
export async function opacityOf(pixels: Pixels): Promise<Opacity> {
  if (!hasAlpha(pixels)) {
    const seen = widened(pixels, 3)
    return { seen, colours: seen }
  }
  const { data, width, height, channels } = pixels
  const alpha = new Uint8Array(width * height)
  const colours = Buffer.allocUnsafe(width * height * 3)
  const [green, blue] = channels === 2 ? [0, 0] : [1, 2]
  for (let at = 0, from = 0; at < alpha.length; at++, from += channels) {
    colours[3 * at] = data[from] ?? 0
    colours[3 * at + 1] = data[from + green] ?? 0
    colours[3 * at + 2] = data[from + blue] ?? 0
    alpha[at] = data[from + channels - 1] ?? 0
  }
  const seen = widened(await flattened(pixels), 3)
  return { seen, colours: { data: colours, width, height, channels: 3 }, own: { data: alpha, width, height } }
}

/** Whether a picture with this alpha is cut out already: part of it is seen, and what is not is more than rounded corners. */
export function isCutOut({ data }: Matte): boolean {
  let clear = 0
  for (const value of data) if (value < 128) clear++
  return clear > data.length * CUT_OUT_SHARE && clear < data.length
}

/** A matte where the picture is opaque, and less than that where it is less. */
export function within(matte: Matte, own: Matte): Matte {
  const data = matte.data.slice()
  for (let at = 0; at < data.length; at++) data[at] = Math.round(((data[at] ?? 0) * (own.data[at] ?? 0)) / 255)
  return { ...matte, data }
}
