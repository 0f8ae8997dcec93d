import { average, boxes, type Boxes } from './box.ts'
import { alphaOf, coloursOf, enlarged, grown, reduced, type Colours, type Reduced } from './planes.ts'
import type { Pixels } from '../image/pixels.ts'
import type { Matte } from '#shared/matte/matte'
import type { Rect } from '#shared/resize'
import { edgeStrips } from '#shared/matte/tiles'

/** The longer side of the copy on which colours are first gathered from afar, and how far that is there. */
const COARSE_SIDE = 512
const COARSE_RADIUS = 24
/** How far colours are gathered at full size: pixels, and more of them in a picture above this longer side. */
const FINE_RADIUS = 6
const FINE_SIDE = 1600
/** Where either side has less weight than this, its mean is no colour. */
const LEAST = 1e-5

const limited = (value: number): number => (value < 0 ? 0 : value > 1 ? 1 : value)

/** What the subject and the ground look like around each sample. */
interface Layers {
  readonly subject: Colours
  readonly ground: Colours
}

/** Mean colours of subject and ground within the radius, weighted by alpha and by what alpha leaves. Writes into its planes. */
function spread({ subject, ground }: Layers, alpha: Float32Array, filter: Boxes): void {
  const weight = alpha.slice()
  average(weight, filter)
  for (const plane of [...subject, ...ground]) average(plane, filter)
  for (const plane of subject) for (let at = 0; at < weight.length; at++) plane[at] = (plane[at] ?? 0) / ((weight[at] ?? 0) + LEAST)
  for (const plane of ground) for (let at = 0; at < weight.length; at++) plane[at] = (plane[at] ?? 0) / (1 - (weight[at] ?? 0) + LEAST)
}

const minus = (whole: Float32Array, part: Float32Array): Float32Array => whole.map((value, at) => value - (part[at] ?? 0))

/** Subject and ground from afar, on the smaller copy. */
function coarseLayers({ width, height, alpha, colours, subject }: Reduced): Layers {
  const ground: Colours = [minus(colours[0], subject[0]), minus(colours[1], subject[1]), minus(colours[2], subject[2])]
  const layers = { subject, ground }
  spread(layers, alpha, boxes(width, height, COARSE_RADIUS))
  return layers
}

/** The subject's colour that, over the ground's, comes nearest to what is seen: `subject` corrected in place by what the mixture misses. */
function explain(subject: Float32Array, ground: Float32Array, seen: Float32Array, alpha: Float32Array): void {
  for (let at = 0; at < alpha.length; at++) {
    const a = alpha[at] ?? 0
    const own = subject[at] ?? 0
    subject[at] = limited(own + a * ((seen[at] ?? 0) - a * own - (1 - a) * (ground[at] ?? 0)))
  }
}

/** The subject's colours in one strip (with its margin). */
function fineColours(pixels: Pixels, matte: Matte, coarse: Reduced & { layers: Layers }, area: Rect, radius: number): Colours {
  const [seen, alpha] = [coloursOf(pixels, area), alphaOf(matte, area)]
  const far = (plane: Float32Array): Float32Array => enlarged(plane, coarse, area)
  const { layers } = coarse
  const subject: Colours = [far(layers.subject[0]), far(layers.subject[1]), far(layers.subject[2])]
  const ground: Colours = [far(layers.ground[0]), far(layers.ground[1]), far(layers.ground[2])]
  for (const [channel, plane] of subject.entries()) {
    const [below, light] = [ground[channel] ?? plane, seen[channel] ?? plane]
    explain(plane, below, light, alpha)
    for (let at = 0; at < alpha.length; at++) {
      const a = alpha[at] ?? 0
      plane[at] = (plane[at] ?? 0) * a
      below[at] = (below[at] ?? 0) * (1 - a)
    }
  }
  spread({ subject, ground }, alpha, boxes(area.width, area.height, radius))
  for (const [channel, plane] of subject.entries()) explain(plane, ground[channel] ?? plane, seen[channel] ?? plane, alpha)
  return subject
}

/** A picture in three channels; alpha, where it has some, is left out. */
function opaque({ data, width, height, channels }: Pixels): Pixels {
  if (channels === 3) return { data: Buffer.from(data), width, height, channels }
  const out = Buffer.allocUnsafe(width * height * 3)
  const [green, blue] = channels < 3 ? [0, 0] : [1, 2]
  for (let from = 0, to = 0; to < out.length; from += channels, to += 3) {
    out[to] = data[from] ?? 0
    out[to + 1] = data[from + green] ?? 0
    out[to + 2] = data[from + blue] ?? 0
  }
  return { data: out, width, height, channels: 3 }
}

/** Writes the colours of a strip wherever the matte is partly subject. */
function writeStrip(out: Pixels, matte: Matte, strip: Rect, area: Rect, [r, g, b]: Colours): void {
  for (let y = strip.top; y < strip.top + strip.height; y++) {
    let from = (y - area.top) * area.width + strip.left - area.left
    for (let x = 0, at = y * matte.width + strip.left; x < strip.width; x++, at++, from++) {
      if (matte.data[at] === 255) continue
      out.data[3 * at] = (r[from] ?? 0) * 255 + 0.5
      out.data[3 * at + 1] = (g[from] ?? 0) * 255 + 0.5
      out.data[3 * at + 2] = (b[from] ?? 0) * 255 + 0.5
    }
  }
}

/**
 * A picture's colours without its ground: near edges what the subject alone would look like, elsewhere as they are; three channels. Blur-fusion in
 * two passes (Forte, "Approximate fast foreground colour estimation", 2021), the first on a smaller copy, the second where there are edges.
 */
export function estimateForeground(pixels: Pixels, matte: Matte): Pixels {
  const out = opaque(pixels)
  const longerSide = Math.max(matte.width, matte.height)
  const radius = Math.max(FINE_RADIUS, Math.round((FINE_RADIUS * longerSide) / FINE_SIDE))
  const strips = edgeStrips(matte, { tile: 64, reach: 1, low: 0, high: 255 })
  if (strips.length === 0) return out
  const small = reduced(pixels, matte, Math.max(1, Math.ceil(longerSide / COARSE_SIDE)))
  const coarse = { ...small, layers: coarseLayers(small) }
  for (const strip of strips) {
    const area = grown(strip, radius, matte)
    writeStrip(out, matte, strip, area, fineColours(pixels, matte, coarse, area, radius))
  }
  return out
}
