/**
 * Colours of subject and ground behind a mixed picture, level by level from coarse to fine (Germer, Uelwer, Conrad, Harmeling, "Fast multi-level
 * foreground estimation", 2020), solved only where alpha is mixed or next to that: elsewhere the picture shows one of both as it is.
 */
import type { Size } from '#shared/resize'

/** A picture at one size: alpha and interleaved colours, all 0..1. */
export interface Level extends Size {
  readonly alpha: Float32Array
  readonly seen: Float32Array
}

/** A level with the interleaved colours of what makes it up. */
export interface Layers extends Level {
  readonly subject: Float32Array
  readonly ground: Float32Array
}

/** How much a pixel is like its neighbours anyway, and how much more where alpha changes between them; measured on composites. */
const SMOOTHNESS = 1e-3
const ACROSS_EDGES = 0.2
/** Rounds on each level; on small ones, where colours come from afar, more. */
const ROUNDS = 4
const SMALL_ROUNDS = 10
const SMALL_SIDE = 32

/** A level of half the size; odd rows and columns at the end are averaged by themselves. */
export function halved({ width, height, alpha, seen }: Level): Level {
  const [across, down] = [Math.ceil(width / 2), Math.ceil(height / 2)]
  const half = { width: across, height: down, alpha: new Float32Array(across * down), seen: new Float32Array(across * down * 3) }
  for (let y = 0, at = 0; y < down; y++) {
    const upper = 2 * y * width
    const lower = Math.min(height - 1, 2 * y + 1) * width
    for (let x = 0; x < across; x++, at++) {
      const left = 2 * x
      const right = Math.min(width - 1, left + 1)
      const a = upper + left
      const b = upper + right
      const c = lower + left
      const d = lower + right
      half.alpha[at] = ((alpha[a] ?? 0) + (alpha[b] ?? 0) + (alpha[c] ?? 0) + (alpha[d] ?? 0)) / 4
      for (let channel = 0; channel < 3; channel++) {
        const sum =
          (seen[3 * a + channel] ?? 0) + (seen[3 * b + channel] ?? 0) + (seen[3 * c + channel] ?? 0) + (seen[3 * d + channel] ?? 0)
        half.seen[3 * at + channel] = sum / 4
      }
    }
  }
  return half
}

/** Places, and which of their neighbours there are: at the picture's sides a place is its own neighbour. */
interface Places {
  readonly at: Int32Array
  /** Bits: 1 left, 2 right, 4 above, 8 below. */
  readonly sides: Uint8Array
}

/** Where alpha is mixed, or is so beside: the places whose colours are to be found. */
function unknowns({ alpha, width, height }: Level): Places {
  const found = new Int32Array(alpha.length)
  const sides = new Uint8Array(alpha.length)
  let count = 0
  for (let y = 0, at = 0; y < height; y++) {
    const vertical = (y > 0 ? 4 : 0) | (y < height - 1 ? 8 : 0)
    const [up, down] = [y > 0 ? -width : 0, y < height - 1 ? width : 0]
    for (let x = 0; x < width; x++, at++) {
      const a = alpha[at] ?? 0
      const left = x > 0 ? at - 1 : at
      const right = x < width - 1 ? at + 1 : at
      const isMixed = a > 0 && a < 1
      if (!isMixed && alpha[left] === a && alpha[right] === a && alpha[at + up] === a && alpha[at + down] === a) continue
      sides[count] = vertical | (x > 0 ? 1 : 0) | (x < width - 1 ? 2 : 0)
      found[count++] = at
    }
  }
  return { at: found.subarray(0, count), sides: sides.subarray(0, count) }
}

/** Colours to begin with: the picture's own where it shows only one of both, else the coarser level's. */
function begun(level: Level, coarser: Layers): Layers {
  const { width, height, alpha, seen } = level
  const [subject, ground] = [new Float32Array(seen.length), new Float32Array(seen.length)]
  for (let y = 0, at = 0; y < height; y++) {
    const row = Math.min(coarser.height - 1, y >> 1) * coarser.width
    for (let x = 0; x < width; x++, at++) {
      const from = 3 * (row + Math.min(coarser.width - 1, x >> 1))
      const a = alpha[at] ?? 0
      for (let channel = 0; channel < 3; channel++) {
        subject[3 * at + channel] = a === 1 ? (seen[3 * at + channel] ?? 0) : (coarser.subject[from + channel] ?? 0)
        ground[3 * at + channel] = a === 0 ? (seen[3 * at + channel] ?? 0) : (coarser.ground[from + channel] ?? 0)
      }
    }
  }
  return { ...level, subject, ground }
}

/** Each solution is gone beyond by so much (successive over-relaxation, Young 1954): two rounds then do what four did. */
const OVER = 1.4
const limited = (value: number): number => (value < 0 ? 0 : value > 1 ? 1 : value)

/** One place's colours from its neighbours' and from what is seen there: least squares in two unknowns a channel. */
function solveAt({ alpha, seen, subject, ground }: Layers, at: number, left: number, right: number, up: number, down: number): void {
  const a = alpha[at] ?? 0
  const rest = 1 - a
  const wl = SMOOTHNESS + ACROSS_EDGES * Math.abs(a - (alpha[left] ?? 0))
  const wr = SMOOTHNESS + ACROSS_EDGES * Math.abs(a - (alpha[right] ?? 0))
  const wu = SMOOTHNESS + ACROSS_EDGES * Math.abs(a - (alpha[up] ?? 0))
  const wd = SMOOTHNESS + ACROSS_EDGES * Math.abs(a - (alpha[down] ?? 0))
  const weight = wl + wr + wu + wd
  const ss = a * a + weight
  const sg = a * rest
  const gg = rest * rest + weight
  const scale = 1 / (ss * gg - sg * sg)
  for (let c = 0; c < 3; c++) {
    const light = seen[3 * at + c] ?? 0
    const l = 3 * left + c
    const r = 3 * right + c
    const u = 3 * up + c
    const d = 3 * down + c
    const forSubject = a * light + wl * (subject[l] ?? 0) + wr * (subject[r] ?? 0) + wu * (subject[u] ?? 0) + wd * (subject[d] ?? 0)
    const forGround = rest * light + wl * (ground[l] ?? 0) + wr * (ground[r] ?? 0) + wu * (ground[u] ?? 0) + wd * (ground[d] ?? 0)
    const s = subject[3 * at + c] ?? 0
    const g = ground[3 * at + c] ?? 0
    subject[3 * at + c] = limited(s + OVER * ((gg * forSubject - sg * forGround) * scale - s))
    ground[3 * at + c] = limited(g + OVER * ((ss * forGround - sg * forSubject) * scale - g))
  }
}

/** The colours that make up a level, starting from the coarser level's, in `most` rounds where it is not small. */
export function solved(level: Level, coarser: Layers, most = ROUNDS): Layers {
  const layers = begun(level, coarser)
  const { width, height } = level
  const places = unknowns(level)
  const rounds = Math.max(width, height) <= SMALL_SIDE ? SMALL_ROUNDS : most
  for (let round = 0; round < rounds; round++) {
    for (let n = 0; n < places.at.length; n++) {
      const at = places.at[n] ?? 0
      const sides = places.sides[n] ?? 0
      const up = (sides & 4) !== 0 ? at - width : at
      const down = (sides & 8) !== 0 ? at + width : at
      solveAt(layers, at, at - (sides & 1), at + ((sides & 2) >> 1), up, down)
    }
  }
  return layers
}

/** The colours that make up a picture, from a single pixel on. */
export function layersOf(level: Level): Layers {
  if (level.width > 1 || level.height > 1) return solved(level, layersOf(halved(level)))
  return { ...level, subject: level.seen.slice(), ground: level.seen.slice() }
}
