import { halved, layersOf, solved, type Layers, type Level } from './layers.ts'
import { grown } from './planes.ts'
import { widened } from '../image/frames.ts'
import type { Pixels } from '../image/pixels.ts'
import type { Matte } from '#shared/matte/matte'
import { edgeStrips } from '#shared/matte/tiles'
import type { Rect } from '#shared/resize'

/** Up to this longer side a picture's copy is solved as a whole; above it, only strips along edges are. */
const COARSE_SIDE = 512
/** Rounds on levels of strips, whose colours have come from afar already. */
const FINE_ROUNDS = 2
/** What a strip needs around it, in pixels of the coarse copy: colours travel about one pixel a round. */
const AROUND = 2

/** A part of a picture and its matte as they are. */
function levelOf({ data }: Pixels, matte: Matte, { left, top, width, height }: Rect): Level {
  const [alpha, seen] = [new Float32Array(width * height), new Float32Array(width * height * 3)]
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0, at = (top + y) * matte.width + left; x < width; x++, at++, to++) {
      alpha[to] = (matte.data[at] ?? 0) / 255
      seen[3 * to] = (data[3 * at] ?? 0) / 255
      seen[3 * to + 1] = (data[3 * at + 1] ?? 0) / 255
      seen[3 * to + 2] = (data[3 * at + 2] ?? 0) / 255
    }
  }
  return { width, height, alpha, seen }
}

/** A picture and its matte in squares of `step` pixels, averaged. */
function coarseLevelOf(pixels: Pixels, matte: Matte, step: number): Level {
  const { width, height } = matte
  const [across, down] = [Math.ceil(width / step), Math.ceil(height / step)]
  const [alpha, seen] = [new Float32Array(across * down), new Float32Array(across * down * 3)]
  for (let y = 0; y < height; y++) {
    const [row, end] = [Math.floor(y / step) * across, (y + 1) * width]
    for (let x = 0, at = y * width; x < across; x++) {
      const last = Math.min(end, at + step)
      let a = 0
      let r = 0
      let g = 0
      let b = 0
      const share = 1 / (255 * (last - at) * (Math.min(height, y - (y % step) + step) - (y - (y % step))))
      for (; at < last; at++) {
        a += matte.data[at] ?? 0
        r += pixels.data[3 * at] ?? 0
        g += pixels.data[3 * at + 1] ?? 0
        b += pixels.data[3 * at + 2] ?? 0
      }
      const to = row + x
      alpha[to] = (alpha[to] ?? 0) + a * share
      seen[3 * to] = (seen[3 * to] ?? 0) + r * share
      seen[3 * to + 1] = (seen[3 * to + 1] ?? 0) + g * share
      seen[3 * to + 2] = (seen[3 * to + 2] ?? 0) + b * share
    }
  }
  // Sums of shares of pure squares come a little beside 0 and 1, and only pure ones are known.
  for (let at = 0; at < alpha.length; at++) if ((alpha[at] ?? 0) > 1 - 1e-4) alpha[at] = 1
  return { width: across, height: down, alpha, seen }
}

/** A part of layers, in their own pixels. */
function layersIn(layers: Layers, { left, top, width, height }: Rect): Layers {
  const cut = (plane: Float32Array, channels: number): Float32Array => {
    const out = new Float32Array(width * height * channels)
    for (let y = 0; y < height; y++) {
      const from = ((top + y) * layers.width + left) * channels
      out.set(plane.subarray(from, from + width * channels), y * width * channels)
    }
    return out
  }
  return {
    width,
    height,
    alpha: cut(layers.alpha, 1),
    seen: cut(layers.seen, 3),
    subject: cut(layers.subject, 3),
    ground: cut(layers.ground, 3),
  }
}

/** Layers of a part of a picture at full size, where those of a smaller copy of that part are known. */
function refined(level: Level, coarse: Layers, step: number): Layers {
  return step === 1 ? coarse : solved(level, step === 2 ? coarse : refined(halved(level), coarse, step / 2), FINE_ROUNDS)
}

/** Writes the subject's colours in a strip, where the matte is not wholly subject. */
function writeStrip(out: Pixels, matte: Matte, strip: Rect, area: Rect, { subject }: Layers): void {
  for (let y = strip.top; y < strip.top + strip.height; y++) {
    let from = 3 * ((y - area.top) * area.width + strip.left - area.left)
    for (let x = 0, at = y * matte.width + strip.left; x < strip.width; x++, at++, from += 3) {
      if (matte.data[at] === 255) continue
      for (let channel = 0; channel < 3; channel++) out.data[3 * at + channel] = (subject[from + channel] ?? 0) * 255 + 0.5
    }
  }
}

/**
 * A picture's colours without its ground: near edges what the subject alone would look like, elsewhere as they are; three channels, whatever the
 * picture has.
 */
export function estimateForeground(pixels: Pixels, matte: Matte): Pixels {
  const picture = opaque(pixels)
  const out = { ...picture, data: Buffer.from(picture.data) }
  let step = 1
  while (Math.max(matte.width, matte.height) > COARSE_SIDE * step) step *= 2
  // A tile is several times what it needs around it.
  const strips = edgeStrips(matte, { tile: Math.max(64, 8 * step), reach: 1, low: 0, high: 255 })
  if (strips.length === 0) return out
  const coarse = layersOf(coarseLevelOf(picture, matte, step))
  for (const strip of strips) {
    const area = grown(strip, AROUND * step, matte)
    const part = {
      left: area.left / step,
      top: area.top / step,
      width: Math.ceil(area.width / step),
      height: Math.ceil(area.height / step),
    }
    writeStrip(out, matte, strip, area, refined(levelOf(picture, matte, area), layersIn(coarse, part), step))
  }
  return out
}

/** A picture in three channels; its alpha, where it has some, is left out. */
function opaque(pixels: Pixels): Pixels {
  const { data, width, height, channels } = widened(pixels, pixels.channels < 3 ? 3 : pixels.channels)
  if (channels === 3) return { data, width, height, channels }
  const out = Buffer.allocUnsafe(width * height * 3)
  for (let from = 0, to = 0; to < out.length; from += channels, to += 3) data.copy(out, to, from, from + 3)
  return { data: out, width, height, channels: 3 }
}
