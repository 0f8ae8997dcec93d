import { luma601, LUMA_WEIGHTS } from '../math/luma.ts'
import { thresholds } from './binarise.ts'
import { tonesOf, type Tones } from './levels.ts'
import { isPaper, paperOf, type Paper } from './paper.ts'
import type { Effect, Place, Rgb } from '#shared/effects/effect'
import { blurPlane, blurReach, type Plane } from '#shared/matte/blur'

/** How a page is to look. */
export interface Cleaning {
  readonly mode: 'colour' | 'grey' | 'mono'
  /** 0 leaves tones as they are, 0.5 makes paper white, 1 leaves least of what is neither paper nor ink. */
  readonly amount: number
}

/** What a page is cleaned by. */
export interface Cleaner extends Cleaning {
  readonly paper: Paper | undefined
  readonly tones: Tones
  /** How far around a pixel black and white are decided, in pixels. */
  readonly window: number
}

const SHARPEN_SIGMA = 1.1
/** Grain above which nothing is sharpened any more. */
const MOST_GRAIN = 0.05
/** A window holds a line of text of a page of about sixty lines. */
const WINDOW = 1 / 80
const NO_TONES: Tones = { white: 1, grain: 0, ink: 0 }

/** How levels over the paper's become levels of the result. */
interface Curve {
  /** Becomes black, and white. */
  readonly black: number
  readonly white: number
  readonly sharpen: number
  /** How much of the light is taken off, and how much the curve counts: 0..1. */
  readonly share: number
}

function curveOf({ amount, tones: { white, grain, ink } }: Cleaner): Curve {
  const more = Math.max(0, 2 * amount - 1)
  return {
    black: ink * (0.55 + 0.35 * more),
    white: white - Math.min(0.14, 0.02 + 2.4 * grain) - 0.1 * more,
    sharpen: (0.7 + 0.8 * more) * Math.max(0, 1 - grain / MOST_GRAIN),
    share: Math.min(1, 2 * amount),
  }
}

/** Where each column or row of a part lies between the middles of squares. */
function places(first: number, count: number, side: number, squares: number): { at: Int32Array; next: Int32Array; part: Float32Array } {
  const [at, next, part] = [new Int32Array(count), new Int32Array(count), new Float32Array(count)]
  for (let n = 0; n < count; n++) {
    const place = Math.min(squares - 1, Math.max(0, (first + n + 0.5) / side - 0.5))
    at[n] = Math.floor(place)
    next[n] = Math.min(squares - 1, Math.floor(place) + 1)
    part[n] = place - Math.floor(place)
  }
  return { at, next, part }
}

/** A grid of squares at the pixels of a row of a part. */
type Reader = (values: Float32Array, out: Float32Array, y: number) => void

function readerOf({ side, columns, rows }: Paper, { left, top }: Place, { width, height }: Rgb): Reader {
  const across = places(left, width, side, columns)
  const down = places(top, height, side, rows)
  return (values, out, y) => {
    const [upper, lower, part] = [(down.at[y] ?? 0) * columns, (down.next[y] ?? 0) * columns, down.part[y] ?? 0]
    for (let x = 0; x < width; x++) {
      const [from, to, share] = [across.at[x] ?? 0, across.next[x] ?? 0, across.part[x] ?? 0]
      const first = (values[upper + from] ?? 0) * (1 - share) + (values[upper + to] ?? 0) * share
      const second = (values[lower + from] ?? 0) * (1 - share) + (values[lower + to] ?? 0) * share
      out[x] = first * (1 - part) + second * part
    }
  }
}

/** A part's levels over its paper's, a plane for each colour, and how much of each pixel is spared. */
interface Lit {
  readonly colours: readonly [Float32Array, Float32Array, Float32Array]
  readonly spared: Float32Array
  /** Brightness of the levels. */
  readonly light: Plane
}

function litOf(part: Rgb, paper: Paper, place: Place): Lit {
  const { data, width, height } = part
  const plane = (): Float32Array => new Float32Array(width * height)
  const [colours, spared, light] = [[plane(), plane(), plane()] as const, plane(), plane()]
  const read = readerOf(paper, place, part)
  const row = new Float32Array(width)
  for (let y = 0; y < height; y++) {
    const from = y * width
    for (const [c, values] of [paper.red, paper.green, paper.blue].entries()) {
      const to = colours[c] ?? light
      const weight = LUMA_WEIGHTS[c] ?? 0
      read(values, row, y)
      for (let x = 0; x < width; x++) {
        // The squares hold levels one higher than they are.
        const level = ((data[(from + x) * 3 + c] ?? 0) + 1) / (row[x] ?? 1)
        to[from + x] = level
        light[from + x] = (light[from + x] ?? 0) + weight * level
      }
    }
    read(paper.spared, spared.subarray(from, from + width), y)
  }
  return { colours, spared, light: { data: light, width, height } }
}

/** Writes a part in colour or grey. */
function toned(part: Rgb, cleaner: Cleaner, { colours, spared, light }: Lit): Uint8Array {
  const { black, white, sharpen, share } = curveOf(cleaner)
  const soft = { ...light, data: light.data.slice() }
  if (sharpen > 0) blurPlane(soft, SHARPEN_SIGMA)
  const out = new Uint8Array(part.data.length)
  const range = white - black
  for (let at = 0; at < spared.length; at++) {
    const kept = spared[at] ?? 0
    const [own, blurred] = [light.data[at] ?? 0, soft.data[at] ?? 0]
    // Fields and pictures only get their light back: what is darker than paper there is meant to be.
    const detail = sharpen * (1 - kept) * (own - blurred)
    for (let c = 0; c < 3; c++) {
      const level = cleaner.mode === 'grey' ? own : (colours[c]?.[at] ?? 0)
      const plain = level / cleaner.tones.white
      const clear = (level + detail - black) / range
      const made = 255 * (kept * plain + (1 - kept) * clear)
      const source = part.data[at * 3 + c] ?? 0
      const value = share * made + (1 - share) * source + 0.5
      out[at * 3 + c] = value < 0 ? 0 : value > 255 ? 255 : value
    }
  }
  return out
}

function greyed(part: Rgb): Rgb {
  const data = new Uint8Array(part.data.length)
  for (let at = 0; at < data.length; at += 3) {
    const level = luma601(part.data[at] ?? 0, part.data[at + 1] ?? 0, part.data[at + 2] ?? 0) + 0.5
    data.fill(level, at, at + 3)
  }
  return { ...part, data }
}

function blackAndWhite(part: Rgb, cleaner: Cleaner, light: Plane): Uint8Array {
  const limits = thresholds(light, cleaner.window, cleaner.amount, cleaner.tones)
  const out = new Uint8Array(part.data.length)
  for (let at = 0; at < limits.length; at++) if ((light.data[at] ?? 0) >= (limits[at] ?? 0)) out.fill(255, at * 3, at * 3 + 3)
  return out
}

/** A plane of a part's own brightness, where no paper was found to take it over. */
function plainLight({ data, width, height }: Rgb): Plane {
  const out = new Float32Array(width * height)
  for (let at = 0; at < out.length; at++) out[at] = luma601(data[at * 3] ?? 0, data[at * 3 + 1] ?? 0, data[at * 3 + 2] ?? 0) / 255
  return { data: out, width, height }
}

/** Whether a page's paper is white everywhere already. */
const isWhite = ({ red, green, blue, spared }: Paper): boolean =>
  [red, green, blue].every((plane) => plane.every((level, at) => level >= 252 || spared[at] === 1))

/**
 * A flat page in even light: the paper's colour, found between what is on it, is divided out (which takes shadows and stains of light with it), paper
 * becomes white and ink dark; pictures and fields of colour keep their tones. Nothing to be done for a page whose paper is white, in colour.
 */
export const clean: Effect<Cleaning, Cleaner> = {
  measure: (page, { mode, amount }) => {
    const paper = paperOf(page)
    const isPage = isPaper(paper)
    if (mode === 'colour' && (amount === 0 || !isPage || isWhite(paper))) return undefined
    const window = Math.max(4, Math.round(WINDOW * Math.max(page.width, page.height)))
    return { mode, amount, window, paper: isPage ? paper : undefined, tones: isPage ? tonesOf(page, paper) : NO_TONES }
  },
  reach: ({ mode, window }) => (mode === 'mono' ? window + 1 : blurReach(SHARPEN_SIGMA)),
  apply: (part, cleaner, place) => {
    const { mode, paper, amount } = cleaner
    if (mode === 'mono') return blackAndWhite(part, cleaner, paper ? litOf(part, paper, place).light : plainLight(part))
    const source = mode === 'grey' ? greyed(part) : part
    return paper && amount > 0 ? toned(source, cleaner, litOf(part, paper, place)) : source.data
  },
}
