/** A palette prepared for the search of near matches. */
export interface Symbols {
  /** Entries in all, the transparent one counted. */
  readonly size: number
  readonly red: Int16Array
  readonly green: Int16Array
  readonly blue: Int16Array
  /** For every colour (rows of 256) all colours, nearest first, and their squared distances; beyond the last colour the distance is out of reach. */
  readonly neighbours: Uint8Array
  readonly gaps: Int32Array
  /** The index that leaves what is on the screen; -1 when there is none. */
  readonly transparent: number
  /** The nearest colour of a packed colour (0x..BBGGRR). */
  nearest(colour: number): number
}

const CACHE_BITS = 15
const FAR = 0x3fffffff

/** Colours (0x..BBGGRR, at least one) and, behind them, room for a transparent index. */
export function symbolsOf(colours: readonly number[], hasTransparent: boolean): Symbols {
  const count = colours.length
  const channel = (shift: number): Int16Array => Int16Array.from({ length: 256 }, (_, index) => ((colours[index] ?? 0) >>> shift) & 255)
  const [red, green, blue] = [channel(0), channel(8), channel(16)]
  const { neighbours, gaps } = neighbourhoods(count, red, green, blue)
  return {
    size: count + (hasTransparent ? 1 : 0),
    red,
    green,
    blue,
    neighbours,
    gaps,
    transparent: hasTransparent ? count : -1,
    nearest: nearestIn(count, red, green, blue),
  }
}

const squaredGap = (red: Int16Array, green: Int16Array, blue: Int16Array, i: number, j: number): number =>
  ((red[i] ?? 0) - (red[j] ?? 0)) ** 2 + ((green[i] ?? 0) - (green[j] ?? 0)) ** 2 + ((blue[i] ?? 0) - (blue[j] ?? 0)) ** 2

function neighbourhoods(count: number, red: Int16Array, green: Int16Array, blue: Int16Array) {
  const neighbours = new Uint8Array(count * 256)
  const gaps = new Int32Array(count * 256).fill(FAR)
  const keys = new Int32Array(count)
  for (let i = 0; i < count; i++) {
    // At most 195,075 and an index in one number: typed arrays sort those fast.
    for (let j = 0; j < count; j++) keys[j] = squaredGap(red, green, blue, i, j) * 256 + j
    keys.sort()
    for (let k = 0; k < count; k++) {
      neighbours[i * 256 + k] = (keys[k] ?? 0) & 255
      gaps[i * 256 + k] = (keys[k] ?? 0) >>> 8
    }
  }
  return { neighbours, gaps }
}

function nearestIn(count: number, red: Int16Array, green: Int16Array, blue: Int16Array): (colour: number) => number {
  const known = new Int32Array(1 << CACHE_BITS).fill(-1)
  const answers = new Uint8Array(1 << CACHE_BITS)
  return (colour) => {
    const rgb = colour & 0xffffff
    const slot = Math.imul(rgb, 0x9e3779b1) >>> (32 - CACHE_BITS)
    if (known[slot] === rgb) return answers[slot] ?? 0
    const [r, g, b] = [rgb & 255, (rgb >>> 8) & 255, rgb >>> 16]
    let best = 0
    let least = FAR
    for (let i = 0; i < count; i++) {
      const distance = ((red[i] ?? 0) - r) ** 2 + ((green[i] ?? 0) - g) ** 2 + ((blue[i] ?? 0) - b) ** 2
      if (distance < least) [best, least] = [i, distance]
    }
    known[slot] = rgb
    answers[slot] = best
    return best
  }
}
