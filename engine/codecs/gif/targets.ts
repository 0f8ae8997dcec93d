import type { Clip } from './clip.ts'

/** What every pixel of the current frame should show: the mean of the frames for which it hardly changes, and how many of those are left. */
export interface Targets {
  readonly red: Int16Array
  readonly green: Int16Array
  readonly blue: Int16Array
  /** 1 where the pixel shows something, 0 where it is transparent. */
  readonly isShown: Uint8Array
  /** The frame before which the pixel changes again. */
  readonly until: Uint16Array
  /** Goes on to a frame; frames in order. */
  enter(frame: number): void
}

/**
 * Targets of a clip. A pixel keeps its target while its colour stays within `tolerance` (squared distance) of the mean so
 * far: an error or a correction there is made once for all those frames, and noise between them is averaged out.
 */
export function targetsOf({ width, height, frames, colourAt }: Clip, tolerance: number): Targets {
  const size = width * height
  const plane = (): Int16Array => new Int16Array(size)
  const [red, green, blue] = [plane(), plane(), plane()]
  const isShown = new Uint8Array(size)
  const until = new Uint16Array(size)
  const begin = (place: number, frame: number): void => {
    const start = colourAt(frame, place)
    const shown = start === 0 ? 0 : 1
    let [r, g, b] = [start & 255, (start >>> 8) & 255, (start >>> 16) & 255]
    let end = frame + 1
    for (; end < frames; end++) {
      const colour = colourAt(end, place)
      if (colour === start) {
        if (tolerance === 0) continue
      } else if (tolerance === 0 || colour === 0 || shown === 0) break
      const count = end - frame
      const [dr, dg, db] = [(colour & 255) - r, ((colour >>> 8) & 255) - g, ((colour >>> 16) & 255) - b]
      if (dr * dr + dg * dg + db * db > tolerance) break
      r += dr / (count + 1)
      g += dg / (count + 1)
      b += db / (count + 1)
    }
    red[place] = Math.round(r)
    green[place] = Math.round(g)
    blue[place] = Math.round(b)
    isShown[place] = shown
    until[place] = end
  }
  return {
    red,
    green,
    blue,
    isShown,
    until,
    enter(frame) {
      for (let place = 0; place < size; place++) if ((until[place] ?? 0) <= frame) begin(place, frame)
    },
  }
}
