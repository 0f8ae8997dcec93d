import { blurPlane, blurReach } from './blur.ts'
import type { Matte } from './matte.ts'
import { edgeStrips } from './tiles.ts'
import type { Rect } from '#shared/resize'

/** How the edge of a matte is changed, in pixels of the whole picture. */
export interface EdgeRequest {
  /** How far the edge moves: outwards above 0, inwards below. */
  readonly shift: number
  /** How wide the edge is softened. */
  readonly feather: number
  /** The matte's size as a part of the whole picture's: below 1 on a preview. */
  readonly scale: number
}

/** A part of a matte with pixels around it, as numbers that grow outwards: where an edge moves in, ground and subject change places. */
interface Patch extends Rect {
  readonly data: Float32Array
}

/** A rectangle of a matte with `margin` more pixels on each side; beyond the matte its outermost pixels go on. */
function patchOf(matte: Matte, area: Rect, margin: number, isInverted: boolean): Patch {
  const [width, height] = [area.width + 2 * margin, area.height + 2 * margin]
  const data = new Float32Array(width * height)
  for (let y = 0, to = 0; y < height; y++) {
    const row = Math.max(0, Math.min(matte.height - 1, area.top - margin + y)) * matte.width
    for (let x = 0; x < width; x++, to++) {
      const alpha = matte.data[row + Math.max(0, Math.min(matte.width - 1, area.left - margin + x))] ?? 0
      data[to] = isInverted ? 255 - alpha : alpha
    }
  }
  return { data, left: area.left - margin, top: area.top - margin, width, height }
}

/** For each length 2^n the greatest of that many samples to the right of each one. */
function maximaOf({ data }: Patch, longest: number): Float32Array[] {
  const levels = [data]
  for (let length = 1; length * 2 <= longest; length *= 2) {
    const shorter = levels.at(-1) ?? data
    const level = shorter.slice()
    // What wraps into the next row lies in the margin and is not read.
    for (let at = 0; at + length < level.length; at++) {
      const right = shorter[at + length] ?? 0
      if (right > (level[at] ?? 0)) level[at] = right
    }
    levels.push(level)
  }
  return levels
}

/** Raises each sample of a strip to the greatest one between `-reach` and `reach` of the row `down` below; parts of pixels by interpolation. */
function raiseByRow(out: Float32Array, patch: Patch, levels: readonly Float32Array[], margin: number, down: number, reach: number): void {
  const whole = Math.floor(reach)
  const part = reach - whole
  const level = Math.floor(Math.log2(2 * whole + 1))
  const [maxima, second] = [levels[level] ?? patch.data, 2 * whole + 1 - 2 ** level]
  const [width, height] = [patch.width - 2 * margin, patch.height - 2 * margin]
  for (let y = 0, to = 0; y < height; y++) {
    const row = (y + margin + down) * patch.width + margin
    for (let x = 0; x < width; x++, to++) {
      const first = row + x - whole
      const last = row + x + whole
      let most = Math.max(maxima[first] ?? 0, maxima[first + second] ?? 0)
      if (part > 0) {
        const [before, start, stop, after] = [
          patch.data[first - 1] ?? 0,
          patch.data[first] ?? 0,
          patch.data[last] ?? 0,
          patch.data[last + 1] ?? 0,
        ]
        most = Math.max(most, start + (before - start) * part, stop + (after - stop) * part)
      }
      if (most > (out[to] ?? 0)) out[to] = most
    }
  }
}

/** Raises each sample of a strip to the one at an offset in parts of pixels, between its four neighbours. */
function raiseByPoint(out: Float32Array, patch: Patch, margin: number, across: number, down: number): void {
  const [left, top] = [Math.floor(across), Math.floor(down)]
  const [right, below] = [across - left, down - top]
  const [width, height] = [patch.width - 2 * margin, patch.height - 2 * margin]
  const { data } = patch
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0, at = (y + margin + top) * patch.width + margin + left; x < width; x++, to++, at++) {
      const upper = (data[at] ?? 0) * (1 - right) + (data[at + 1] ?? 0) * right
      const lower = (data[at + patch.width] ?? 0) * (1 - right) + (data[at + patch.width + 1] ?? 0) * right
      const value = upper * (1 - below) + lower * below
      if (value > (out[to] ?? 0)) out[to] = value
    }
  }
}

/** Grey dilation of a strip by a disc: each sample becomes the greatest within `reach` pixels, so an edge moves by that and keeps its softness. */
function dilated(patch: Patch, margin: number, reach: number): Float32Array {
  const out = new Float32Array((patch.width - 2 * margin) * (patch.height - 2 * margin))
  const levels = maximaOf(patch, 2 * Math.floor(reach) + 1)
  for (let down = -Math.floor(reach); down <= reach; down++)
    raiseByRow(out, patch, levels, margin, down, Math.sqrt(reach * reach - down * down))
  // Where the disc's rows leave its outline between them.
  const slant = reach * Math.SQRT1_2
  for (const side of [-1, 1]) {
    raiseByPoint(out, patch, margin, 0, side * reach)
    for (const other of [-1, 1]) raiseByPoint(out, patch, margin, side * slant, other * slant)
  }
  return out
}

function shifted(matte: Matte, shift: number): Matte {
  const data = matte.data.slice()
  const [reach, isInverted] = [Math.abs(shift), shift < 0]
  const margin = Math.ceil(reach) + 1
  for (const strip of edgeStrips(matte, { tile: 64, reach: margin, low: 0, high: 255 })) {
    const samples = dilated(patchOf(matte, strip, margin, isInverted), margin, reach)
    for (let y = 0, from = 0; y < strip.height; y++) {
      for (let x = 0, at = (strip.top + y) * matte.width + strip.left; x < strip.width; x++, at++, from++) {
        const alpha = samples[from] ?? 0
        data[at] = (isInverted ? 255 - alpha : alpha) + 0.5
      }
    }
  }
  return { ...matte, data }
}

function feathered(matte: Matte, sigma: number): Matte {
  const data = matte.data.slice()
  const reach = Math.ceil(blurReach(sigma))
  // Tiles much smaller than the margin around them would be blurred many times over.
  const tile = Math.max(64, 8 * Math.ceil(reach / 4))
  for (const strip of edgeStrips(matte, { tile, reach, low: 0, high: 255 })) {
    const patch = patchOf(matte, strip, reach, false)
    blurPlane(patch, sigma)
    for (let y = 0; y < strip.height; y++) {
      const from = (y + reach) * patch.width + reach
      const to = (strip.top + y) * matte.width + strip.left
      for (let x = 0; x < strip.width; x++) data[to + x] = (patch.data[from + x] ?? 0) + 0.5
    }
  }
  return { ...matte, data }
}

/**
 * A matte with its edge moved (grey dilation or erosion by a disc, in parts of pixels) and then softened (a Gaussian of half the feather's
 * width). Where no edge is near, and along the picture's sides, nothing changes.
 */
export function adjustEdges(matte: Matte, { shift, feather, scale }: EdgeRequest): Matte {
  const moved = shift === 0 ? matte : shifted(matte, shift * scale)
  return feather === 0 ? moved : feathered(moved, (feather * scale) / 2)
}
