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

/** For each length 2^n the greatest of that many samples from each one on, `stride` samples apart. */
function maximaOf(data: Float32Array, longest: number, stride: number): Float32Array[] {
  const levels = [data]
  for (let length = 1; length * 2 <= longest; length *= 2) {
    const shorter = levels.at(-1) ?? data
    const level = shorter.slice()
    // What wraps into the next row lies in the margin and is not read.
    for (let at = 0, next = length * stride; next < level.length; at++, next++) {
      const further = shorter[next] ?? 0
      if (further > (level[at] ?? 0)) level[at] = further
    }
    levels.push(level)
  }
  return levels
}

/** A patch without its margin, being raised; its places that can rise at all, by their number in the patch. */
interface Rising {
  readonly patch: Patch
  readonly margin: number
  readonly places: Int32Array
  readonly out: Float32Array
}

/** The places of a patch below the greatest sample of the square around them. */
function risingOf(patch: Patch, margin: number, rows: readonly Float32Array[]): Rising {
  const { data, width, height } = patch
  const length = 2 * margin + 1
  const level = Math.floor(Math.log2(length))
  const rest = length - 2 ** level
  const across = (rows[level] ?? data).slice()
  for (let at = 0; at + rest < across.length; at++) across[at] = Math.max(across[at] ?? 0, rows[level]?.[at + rest] ?? 0)
  const columns = maximaOf(across, length, width)[level] ?? across
  const places = new Int32Array(data.length)
  let count = 0
  for (let y = margin; y < height - margin; y++) {
    for (let x = margin, at = y * width + margin; x < width - margin; x++, at++) {
      const corner = at - margin * width - margin
      const most = Math.max(columns[corner] ?? 0, columns[corner + rest * width] ?? 0)
      if (most > (data[at] ?? 0)) places[count++] = at
    }
  }
  return { patch, margin, places: places.subarray(0, count), out: data.slice() }
}

/** Raises samples to the greatest one between `-reach` and `reach` of the row `down` below; parts of pixels by interpolation. */
function raiseByRow({ patch, places, out }: Rising, levels: readonly Float32Array[], down: number, reach: number): void {
  const whole = Math.floor(reach)
  const part = reach - whole
  const level = Math.floor(Math.log2(2 * whole + 1))
  const maxima = levels[level] ?? patch.data
  const second = 2 * whole + 1 - 2 ** level
  const { data, width } = patch
  for (const at of places) {
    const first = at + down * width - whole
    const last = first + 2 * whole
    const start = data[first] ?? 0
    const stop = data[last] ?? 0
    const before = start + ((data[first - 1] ?? 0) - start) * part
    const behind = stop + ((data[last + 1] ?? 0) - stop) * part
    const most = Math.max(maxima[first] ?? 0, maxima[first + second] ?? 0, before, behind)
    if (most > (out[at] ?? 0)) out[at] = most
  }
}

/** Raises samples to the one at an offset in parts of pixels, between its four neighbours. */
function raiseByPoint({ patch, places, out }: Rising, across: number, down: number): void {
  const { data, width } = patch
  const [left, top] = [Math.floor(across), Math.floor(down)]
  const [right, below] = [across - left, down - top]
  for (const at of places) {
    const from = at + top * width + left
    const upper = (data[from] ?? 0) * (1 - right) + (data[from + 1] ?? 0) * right
    const lower = (data[from + width] ?? 0) * (1 - right) + (data[from + width + 1] ?? 0) * right
    const value = upper * (1 - below) + lower * below
    if (value > (out[at] ?? 0)) out[at] = value
  }
}

/** Grey dilation of a patch by a disc: each sample becomes the greatest within `reach` pixels, so an edge moves by that and keeps its softness. */
function dilated(patch: Patch, margin: number, reach: number): Float32Array {
  const levels = maximaOf(patch.data, 2 * margin + 1, 1)
  const rising = risingOf(patch, margin, levels)
  for (let down = -Math.floor(reach); down <= reach; down++) raiseByRow(rising, levels, down, Math.sqrt(reach * reach - down * down))
  // Where the disc's rows leave its outline between them.
  const slant = reach * Math.SQRT1_2
  for (const side of [-1, 1]) {
    raiseByPoint(rising, 0, side * reach)
    for (const other of [-1, 1]) raiseByPoint(rising, side * slant, other * slant)
  }
  return rising.out
}

function shifted(matte: Matte, shift: number): Matte {
  const data = matte.data.slice()
  const [reach, isInverted] = [Math.abs(shift), shift < 0]
  const margin = Math.ceil(reach) + 1
  for (const strip of edgeStrips(matte, { tile: 64, reach: margin, low: 0, high: 255 })) {
    const patch = patchOf(matte, strip, margin, isInverted)
    const samples = dilated(patch, margin, reach)
    for (let y = 0; y < strip.height; y++) {
      const from = (y + margin) * patch.width + margin
      const to = (strip.top + y) * matte.width + strip.left
      for (let x = 0; x < strip.width; x++) {
        const alpha = samples[from + x] ?? 0
        data[to + x] = (isInverted ? 255 - alpha : alpha) + 0.5
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
