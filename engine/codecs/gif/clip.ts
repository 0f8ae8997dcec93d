import { packedPixel, type Pixels } from '#engine/image/pixels'

/** An animation as GIF can show it: every pixel of every frame opaque or fully transparent. */
export interface Clip {
  readonly width: number
  readonly height: number
  readonly frames: number
  readonly hasAlpha: boolean
  /** Packed 0xffBBGGRR, or 0 where transparent: a frame's pixel by its place in the frame. */
  colourAt(frame: number, place: number): number
}

const rounded = (colour: number): number => (colour >>> 24 < 128 ? 0 : (colour | 0xff000000) >>> 0)

/** A decoded picture as a clip; half transparency becomes all or none. Only `kept` frames (indices, ascending) when given. */
export function clipOf({ data, width, height, channels, animation }: Pixels, kept?: readonly number[]): Clip {
  const size = width * height
  const starts = kept?.map((frame) => frame * size)
  const first = (frame: number): number => starts?.[frame] ?? frame * size
  const colourAt: Clip['colourAt'] = (frame, place) => rounded(packedPixel(data, (first(frame) + place) * channels, channels))
  const frames = kept?.length ?? animation?.frames ?? 1
  return { width, height, frames, hasAlpha: channels === 2 || channels === 4, colourAt }
}
