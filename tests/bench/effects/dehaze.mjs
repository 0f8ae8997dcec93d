import { psnr, seeded, timed } from '../effects.mjs'
import { mean } from '../measure.mjs'
import { dehaze } from '#shared/effects/dehaze/dehaze'
import { parseOptions } from '#shared/tools/index'

/** @typedef {import('../effects.mjs').Clean} Clean */
/** @typedef {import('../effects.mjs').Line} Line */

export const against = 'dark channel and guided filter (He et al. 2011)'

/** The light of the haze that is added. */
const LIGHT = [225, 228, 232]
const auto = parseOptions('dehaze', {})

/** Smooth values over a picture that look random, 0..1. */
function smooth(/** @type {number} */ seed) {
  const random = seeded(seed)
  const knots = Float64Array.from({ length: 25 }, random)
  const ease = (/** @type {number} */ x) => x * x * (3 - 2 * x)
  return (/** @type {number} */ x, /** @type {number} */ y) => {
    const [column, row] = [Math.min(3, Math.floor(x * 4)), Math.min(3, Math.floor(y * 4))]
    const [across, down] = [ease(x * 4 - column), ease(y * 4 - row)]
    const knot = (/** @type {number} */ u, /** @type {number} */ v) => knots[(row + v) * 5 + column + u] ?? 0
    const line = (/** @type {number} */ v) => knot(0, v) * (1 - across) + knot(1, v) * across
    return line(0) * (1 - down) + line(1) * down
  }
}

/** What comes through the haze at each place, 0..1 from left and top. @type {Record<string, (seed: number) => (x: number, y: number) => number>} */
const hazes = {
  'from below': () => (_, y) => 0.35 + 0.5 * y,
  'everywhere 0.5': () => () => 0.5,
  'like depths': (seed) => {
    const depth = smooth(seed)
    return (x, y) => 0.3 + 0.35 * depth(x, y) + 0.25 * y
  },
}

/** A picture under haze. @returns {Uint8Array} */
function hazed(/** @type {Clean} */ { data, width, height }, /** @type {(x: number, y: number) => number} */ through) {
  const out = new Uint8Array(data.length)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const share = through(x / width, y / height)
      for (let c = 0, at = (y * width + x) * 3; c < 3; c++, at++)
        out[at] = Math.round((data[at] ?? 0) * share + (LIGHT[c] ?? 0) * (1 - share))
    }
  }
  return out
}

/** Sums of a plane over squares about each pixel, cut at its sides, and how many there were. */
function boxed(/** @type {Float64Array} */ plane, /** @type {number} */ width, /** @type {number} */ height, /** @type {number} */ radius) {
  const table = new Float64Array((width + 1) * (height + 1))
  for (let y = 0; y < height; y++) {
    let row = 0
    for (let x = 0; x < width; x++) {
      row += plane[y * width + x] ?? 0
      table[(y + 1) * (width + 1) + x + 1] = (table[y * (width + 1) + x + 1] ?? 0) + row
    }
  }
  const at = (/** @type {number} */ x, /** @type {number} */ y) => table[y * (width + 1) + x] ?? 0
  return plane.map((_, index) => {
    const [x, y] = [index % width, Math.floor(index / width)]
    const [left, right] = [Math.max(0, x - radius), Math.min(width, x + radius + 1)]
    const [top, bottom] = [Math.max(0, y - radius), Math.min(height, y + radius + 1)]
    return (at(right, bottom) - at(left, bottom) - at(right, top) + at(left, top)) / ((right - left) * (bottom - top))
  })
}

function minima(
  /** @type {Float64Array} */ plane,
  /** @type {number} */ width,
  /** @type {number} */ height,
  /** @type {number} */ radius,
) {
  const least = (
    /** @type {Float64Array} */ of,
    /** @type {number} */ at,
    /** @type {number} */ step,
    /** @type {number} */ own,
    /** @type {number} */ count,
  ) => {
    let value = Infinity
    for (let by = Math.max(-radius, -own); by <= Math.min(radius, count - 1 - own); by++) value = Math.min(value, of[at + by * step] ?? 0)
    return value
  }
  const rows = plane.map((_, at) => least(plane, at, 1, at % width, width))
  return rows.map((_, at) => least(rows, at, width, Math.floor(at / width), height))
}

/** The plain method (He et al. 2011, refined by a guided filter), with the numbers of the prototype: what the effect has to beat. @returns {Uint8Array} */
function plain(/** @type {Clean} */ { width, height }, /** @type {Uint8Array} */ data) {
  const count = width * height
  const plane = (/** @type {(at: number) => number} */ of) => Float64Array.from({ length: count }, (_, at) => of(at * 3))
  const level = (/** @type {number} */ at) => (data[at] ?? 0) / 255
  const dark = minima(
    plane((at) => Math.min(level(at), level(at + 1), level(at + 2))),
    width,
    height,
    7,
  )
  const order = [...dark.keys()].toSorted((a, b) => (dark[b] ?? 0) - (dark[a] ?? 0)).slice(0, Math.max(1, Math.floor(count / 1000)))
  const light = [0, 1, 2].map((c) => mean(order.map((at) => level(at * 3 + c))))
  const share = (/** @type {number} */ at, /** @type {number} */ c) => level(at + c) / (light[c] ?? 1)
  const first = minima(
    plane((at) => Math.min(share(at, 0), share(at, 1), share(at, 2))),
    width,
    height,
    7,
  ).map((value) => 1 - 0.9 * value)
  const guide = plane((at) => 0.299 * level(at) + 0.587 * level(at + 1) + 0.114 * level(at + 2))
  const box = (/** @type {Float64Array} */ of) => boxed(of, width, height, 40)
  const [guides, firsts] = [box(guide), box(first)]
  const [squares, products] = [box(guide.map((value) => value * value)), box(guide.map((value, at) => value * (first[at] ?? 0)))]
  const slope = guides.map((own, at) => ((products[at] ?? 0) - own * (firsts[at] ?? 0)) / ((squares[at] ?? 0) - own * own + 1e-3))
  const rest = box(slope.map((value, at) => (firsts[at] ?? 0) - value * (guides[at] ?? 0)))
  const slopes = box(slope)
  return new Uint8Array(
    Uint8ClampedArray.from(data, (_, at) => {
      const pixel = Math.floor(at / 3)
      const through = Math.max(0.12, (slopes[pixel] ?? 0) * (guide[pixel] ?? 0) + (rest[pixel] ?? 0))
      const own = light[at % 3] ?? 1
      return 255 * ((level(at) - own) / through + own)
    }),
  )
}

/** The effect on its own, as the engine would run it at automatic strength. @returns {Uint8Array} */
function ours(/** @type {Clean} */ { width, height }, /** @type {Uint8Array} */ data) {
  const picture = { data, width, height }
  const measure = dehaze.measure(picture, auto, {})
  return measure ? dehaze.apply(picture, measure, { left: 0, top: 0, whole: picture }) : data
}

const difference = (/** @type {Uint8Array} */ one, /** @type {Uint8Array} */ other) =>
  one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0) / one.length / 2.55

/** Photos under three hazes made by the script, and as they are. @returns {Promise<Line[]>} */
export async function lines(/** @type {Clean[]} */ pictures) {
  /** @type {Line[]} */
  const table = []
  for (const isHeldBack of [false, true]) {
    const set = pictures.filter((picture) => picture.isHeldBack === isHeldBack)
    const label = isHeldBack ? 'held back' : 'tuning'
    for (const [name, haze] of Object.entries(hazes)) {
      /** @type {{ source: number, baseline: number, ours: number, cpu: number }[]} */
      const rows = []
      for (const [at, picture] of set.entries()) {
        const source = hazed(picture, haze(at + 1))
        const { result, cpu } = await timed(() => ours(picture, source))
        const own = (/** @type {Uint8Array} */ data) => psnr(data, picture.data)
        const megapixels = (picture.width * picture.height) / 1e6
        rows.push({ source: own(source), baseline: own(plain(picture, source)), ours: own(result), cpu: cpu / megapixels })
      }
      const of = (/** @type {keyof (typeof rows)[0]} */ key) => mean(rows.map((row) => row[key]))
      const [source, result] = [of('source'), of('ours')]
      const goal = `source +6 (worst ${Math.min(...rows.map((row) => row.ours - row.source)).toFixed(2)})`
      const numbers = { source, baseline: of('baseline'), ours: result, cpu: of('cpu') }
      table.push({ set: `${name}, ${label}`, measure: 'PSNR dB', ...numbers, goal, isHeld: result >= source + 6 })
    }
    const changed = mean(set.map((picture) => difference(ours(picture, picture.data), picture.data)))
    table.push({ set: `clear, ${label}`, measure: 'changed %', ours: changed, goal: '<= 0.5', isHeld: changed <= 0.5 })
  }
  return table
}
