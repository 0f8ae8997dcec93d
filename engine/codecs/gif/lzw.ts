import { bitWriter } from './bit-writer.ts'
import { dictionaryOf, type Dictionary } from './dictionary.ts'
import { bitsFor } from './gif-file.ts'
import type { Symbols } from './symbols.ts'

/** Pixels to be written, in raster order: what each should show, and what showing something else costs. */
export interface Strip {
  readonly length: number
  readonly red: Int16Array
  readonly green: Int16Array
  readonly blue: Int16Array
  /** For how many frames an error made here will be seen. */
  readonly weight: Float32Array
  /** The least weighted error any index can have here; errors are counted from there. */
  readonly least: Float32Array
  /** The weighted error of leaving what is on the screen, less `least`; infinite where that is not allowed. */
  readonly hold: Float32Array
  /** The nearest entry of the palette; -1 for a pixel that must stay transparent. */
  readonly nearest: Int16Array
}

/** What one bit is worth, as squared error; and how many strings of each length are followed. */
export interface Trade {
  readonly lambda: number
  readonly beam: number
}

/** LZW data of a strip and the index chosen for every pixel. */
export interface Written {
  readonly codeBits: number
  readonly data: Buffer
  readonly indices: Uint8Array
}

/** Where the screen could stay, a colour that begins there, or staying within a run of the colour, costs this much more, in parts of what a pixel does: mixing both at will spoils the dictionary. */
const SHYNESS = 0.3
/** A full dictionary is judged anew after so many codes. */
const WINDOW_CODES = 300
/** Averages reach back over about so many codes. */
const MEMORY_CODES = 64

/** The string found for a position: its code, pixels and error. */
interface Match {
  code: number
  length: number
  error: number
}

/**
 * LZW (GIF89a appendix F) that takes near matches: of the strings in the dictionary that could stand for the next
 * pixels the one with the least error + lambda x bits, less what as many pixels cost on average so far (the ratio rule of
 * renewal-reward problems); with lambda near 0 that is the longest exact match. A pixel that may stay as it is on the
 * screen matches the transparent index as well as its colour.
 */
export function writeLzw(strip: Strip, symbols: Symbols, trade: Trade): Written {
  const codeBits = Math.max(2, bitsFor(symbols.size))
  const dictionary = dictionaryOf(codeBits)
  const out = bitWriter(strip.length >> 2)
  const indices = new Uint8Array(strip.length)
  const match: Match = { code: 0, length: 0, error: 0 }
  let mean = { cost: trade.lambda * (codeBits + 1), length: 2 }
  let all = { cost: 0, length: 0 }
  let window = { cost: 0, length: 0, codes: 0 }
  const clear = (): void => {
    out.put(1 << codeBits, dictionary.width)
    dictionary.clear()
    all = { cost: 0, length: 0 }
    window = { cost: 0, length: 0, codes: 0 }
  }
  clear()
  for (let at = 0; at < strip.length; at += match.length) {
    const { width } = dictionary
    find(match, at, strip, symbols, dictionary, mean.cost / mean.length, trade.lambda * width, trade)
    spell(match, dictionary, indices, at)
    const first = indices[at] ?? 0
    dictionary.settle(first)
    out.put(match.code, width)
    const cost = match.error + trade.lambda * width
    mean = { cost: mean.cost + (cost - mean.cost) / MEMORY_CODES, length: mean.length + (match.length - mean.length) / MEMORY_CODES }
    all.cost += cost
    all.length += match.length
    if (!dictionary.isFull) {
      dictionary.grow(match.code, first)
      continue
    }
    window.cost += cost
    window.length += match.length
    if (++window.codes < WINDOW_CODES) continue
    if (window.cost / window.length > all.cost / all.length) clear()
    else window = { cost: 0, length: 0, codes: 0 }
  }
  out.put((1 << codeBits) + 1, dictionary.width)
  return { codeBits, data: out.end(), indices }
}

/** The indices a match stands for. */
function spell({ code, length }: Match, { parent, last }: Dictionary, indices: Uint8Array, at: number): void {
  for (let to = at + length - 1, rest = code; to >= at; to--) {
    indices[to] = last[rest] ?? 0
    rest = parent[rest] ?? 0
  }
}

/** Strings of one length that are still in the race. */
interface Level {
  readonly codes: Int16Array
  readonly errors: Float64Array
  count: number
  /** What an entry must cost less than to come in; sinks once the level is full. */
  most: number
  dearest: number
}

const WIDEST = 256
const level = (): Level => ({ codes: new Int16Array(WIDEST), errors: new Float64Array(WIDEST), count: 0, most: 0, dearest: 0 })
let current = level()
let following = level()

/** Takes a string in, in the place of the dearest where there is no room. */
function offer(to: Level, code: number, error: number, beam: number): void {
  const at = to.count < beam ? to.count++ : to.dearest
  to.codes[at] = code
  to.errors[at] = error
  if (to.count < beam) return
  let dearest = 0
  let most = -Infinity
  for (let k = 0; k < beam; k++) {
    const here = to.errors[k] ?? 0
    if (here > most) [dearest, most] = [k, here]
  }
  to.dearest = dearest
  if (most < to.most) to.most = most
}

/** Beam search of the dictionary, length by length, cut where a string costs more than its pixels do on average plus one code. */
function find(
  match: Match,
  at: number,
  strip: Strip,
  symbols: Symbols,
  { child, sibling, last }: Dictionary,
  perPixel: number,
  slack: number,
  { beam }: Trade,
): void {
  const { red, green, blue, weight, least, hold, nearest, length } = strip
  const { red: ofRed, green: ofGreen, blue: ofBlue, transparent } = symbols
  const penalty = SHYNESS * perPixel
  current.count = 0
  current.most = slack + perPixel
  begin(current, at, strip, symbols, beam, penalty)
  let bestScore = Infinity
  for (let reach = 1; current.count > 0; reach++) {
    const position = at + reach
    following.count = 0
    following.most = position < length ? slack + perPixel * (reach + 1) : -1
    const [r0, g0, b0] = [red[position] ?? 0, green[position] ?? 0, blue[position] ?? 0]
    const w = weight[position] ?? 1
    const held = hold[position] ?? 0
    const floor = least[position] ?? 0
    const wanted = nearest[position] ?? -1
    const mayHold = held <= slack
    for (let k = 0; k < current.count; k++) {
      const code = current.codes[k] ?? 0
      const error = current.errors[k] ?? 0
      const score = error - perPixel * reach
      if (score <= bestScore) {
        bestScore = score
        match.code = code
        match.length = reach
        match.error = error
      }
      const isRun = last[code] === wanted
      const ofHold = mayHold && isRun ? penalty : 0
      const ofShow = mayHold && !isRun ? penalty : 0
      for (let longer = child[code] ?? -1; longer >= 0; longer = sibling[longer] ?? -1) {
        const index = last[longer] ?? 0
        let sum = error + held + ofHold
        if (index !== transparent) {
          if (wanted < 0) continue
          const r = r0 - (ofRed[index] ?? 0)
          const g = g0 - (ofGreen[index] ?? 0)
          const b = b0 - (ofBlue[index] ?? 0)
          sum = error + w * (r * r + g * g + b * b) - floor + ofShow
        }
        if (sum < following.most) offer(following, longer, sum, beam)
      }
    }
    ;[current, following] = [following, current]
  }
}

/** The single indices that may begin a string: at least the nearest colour, or the transparent index where that must be. */
function begin(to: Level, at: number, strip: Strip, symbols: Symbols, beam: number, penalty: number): void {
  const { red, green, blue, weight, least, hold, nearest } = strip
  const { transparent, size, neighbours, gaps } = symbols
  const first = nearest[at] ?? -1
  const w = weight[at] ?? 1
  const held = hold[at] ?? 0
  if (transparent >= 0 && (first < 0 || held <= to.most)) offer(to, transparent, held, beam)
  if (first < 0) return
  const floor = (least[at] ?? 0) - (transparent >= 0 && held <= to.most ? penalty : 0)
  for (let k = 0; k < size; k++) {
    // By the triangle inequality an entry this far from the nearest one is at least half as far from the pixel.
    if (k > 0 && (w * (gaps[first * 256 + k] ?? 0)) / 4 > to.most + floor) break
    const code = neighbours[first * 256 + k] ?? 0
    const r = (red[at] ?? 0) - (symbols.red[code] ?? 0)
    const g = (green[at] ?? 0) - (symbols.green[code] ?? 0)
    const b = (blue[at] ?? 0) - (symbols.blue[code] ?? 0)
    const error = w * (r * r + g * g + b * b) - floor
    if (to.count === 0 || error < to.most) offer(to, code, error, beam)
  }
}
