import { notch } from './notch.ts'
import { patternsOf } from './patterns.ts'
import { peaksOf, type Peak } from './peaks.ts'
import { emptySpectrum, HOP, look, SIDE, startOf, strengthOf, tilesAlong, transform } from './tiles.ts'
import { gainOf } from '../gain.ts'
import type { Effect, Place, Rgb } from '../effect.ts'
import type { OptionsOf } from '#shared/tools/index'

/** What 100 by hand is, in times of what `auto` does. */
const STRONGEST = 2

/** What a picture tells before its effect. */
export interface RemoveMoireMeasure {
  readonly amount: number
  /** The patterns of a grid of squares, every `stride`-th of those that are worked on, in rows from the top. */
  readonly stride: number
  readonly across: number
  readonly down: number
  readonly patterns: readonly (readonly Peak[])[]
}

/** As many squares are measured at most: a pattern that goes over the picture is found in every second of a small one's. */
const MOST_SQUARES = 64
/** The share of a picture a pattern has to go over: of brightness, where fences and cloths are periodic too, and of colour, where little else is. */
const SHARE = { bright: 0.45, colour: 0.2 }

/** The squares that are measured: the peaks of each. */
function squaresOf(picture: Rgb, stride: number, across: number, down: number): Peak[][] {
  const spectrum = emptySpectrum()
  const strengths = new Float32Array(SIDE * SIDE)
  const squares: Peak[][] = []
  for (let row = 0; row < down; row++) {
    for (let column = 0; column < across; column++) {
      look(picture, startOf(column * stride), startOf(row * stride), spectrum)
      strengthOf(spectrum.brightRe, spectrum.brightIm, false, strengths)
      const bright = peaksOf(strengths, false)
      strengthOf(spectrum.colourRe, spectrum.colourIm, true, strengths)
      squares.push([...bright, ...peaksOf(strengths, true)])
    }
  }
  return squares
}

/** The patterns at a square: those of the measured squares around it. */
function patternsAt({ patterns, stride, across, down }: RemoveMoireMeasure, column: number, row: number): Peak[] {
  const [x, y] = [Math.round(column / stride), Math.round(row / stride)]
  const found: Peak[] = []
  for (let v = Math.max(0, y - 1); v <= Math.min(down - 1, y + 1); v++) {
    for (let u = Math.max(0, x - 1); u <= Math.min(across - 1, x + 1); u++) {
      for (const peak of patterns[v * across + u] ?? []) {
        const isKnown = found.some((one) => one.isColour === peak.isColour && Math.hypot(one.u - peak.u, one.v - peak.v) < 2)
        if (!isKnown) found.push(peak)
      }
    }
  }
  return found
}

const KEYS = ['brightRe', 'brightIm', 'colourRe', 'colourIm'] as const

function subtract(from: Float32Array, what: Float32Array): void {
  for (let at = 0; at < from.length; at++) from[at] = (from[at] ?? 0) - (what[at] ?? 0)
}

/** What a part's squares lose, of red, green and blue. */
function lossOf(part: Rgb, measure: RemoveMoireMeasure, { left, top }: Place): Float32Array {
  const { width, height } = part
  const loss = new Float32Array(width * height * 3)
  const spectrum = emptySpectrum()
  const before = emptySpectrum()
  const strengths = new Float32Array(SIDE * SIDE)
  const [firstRow, lastRow] = [Math.floor(top / HOP), Math.ceil((top + height) / HOP)]
  const [firstColumn, lastColumn] = [Math.floor(left / HOP), Math.ceil((left + width) / HOP)]
  for (let row = firstRow; row <= lastRow; row++) {
    for (let column = firstColumn; column <= lastColumn; column++) {
      const peaks = patternsAt(measure, column, row)
      if (peaks.length === 0) continue
      const [x, y] = [startOf(column) - left, startOf(row) - top]
      look(part, x, y, spectrum)
      for (const key of KEYS) before[key].set(spectrum[key])
      strengthOf(spectrum.brightRe, spectrum.brightIm, false, strengths)
      const isBright = notch(spectrum.brightRe, spectrum.brightIm, strengths, peaks, measure.amount)
      strengthOf(spectrum.colourRe, spectrum.colourIm, true, strengths)
      const isColour = notch(spectrum.colourRe, spectrum.colourIm, strengths, peaks, measure.amount)
      if (!isBright && !isColour) continue
      for (const key of KEYS) subtract(before[key], spectrum[key])
      // What lost nothing is nought already.
      if (isBright) transform.inverse(before.brightRe, before.brightIm)
      if (isColour) transform.inverse(before.colourRe, before.colourIm)
      addLoss(loss, part, before.brightRe, before.colourRe, before.colourIm, x, y)
    }
  }
  return loss
}

/** Adds what a square loses, from brightness and colour differences to red, green and blue. */
function addLoss(
  loss: Float32Array,
  { width, height }: Rgb,
  bright: Float32Array,
  red: Float32Array,
  blue: Float32Array,
  x: number,
  y: number,
): void {
  for (let v = Math.max(0, -y); v < Math.min(SIDE, height - y); v++) {
    for (let u = Math.max(0, -x); u < Math.min(SIDE, width - x); u++) {
      const from = v * SIDE + u
      const to = ((y + v) * width + x + u) * 3
      const [r, b] = [red[from] ?? 0, blue[from] ?? 0]
      const green = (bright[from] ?? 0) - (r + b) / 4
      loss[to] = (loss[to] ?? 0) + green + r
      loss[to + 1] = (loss[to + 1] ?? 0) + green
      loss[to + 2] = (loss[to + 2] ?? 0) + green + b
    }
  }
}

/**
 * Moiré: frequencies that stand out of the spectra of overlapping squares and go on from square to square over much of the picture are damped to
 * what lies around them in the spectrum, in brightness and in colour.
 */
export const removeMoire: Effect<OptionsOf<'remove-moire'>, RemoveMoireMeasure> = {
  measure: (picture, { strength }) => {
    const amount = gainOf(strength, STRONGEST)
    if (amount === 0) return undefined
    const [wide, high] = [tilesAlong(picture.width), tilesAlong(picture.height)]
    const stride = Math.max(1, Math.ceil(Math.sqrt((wide * high) / MOST_SQUARES)))
    const [across, down] = [Math.ceil(wide / stride), Math.ceil(high / stride)]
    const eased = Math.max(1, amount)
    const patterns = patternsOf(
      squaresOf(picture, stride, across, down),
      across,
      ({ isColour }) => (isColour ? SHARE.colour : SHARE.bright) / eased,
    )
    return patterns.every(({ length }) => length === 0) ? undefined : { amount, stride, across, down, patterns }
  },
  reach: () => SIDE,
  apply: (part, measure, place) => {
    const loss = lossOf(part, measure, place)
    const out = new Uint8ClampedArray(loss.length)
    for (let at = 0; at < loss.length; at++) out[at] = (part.data[at] ?? 0) - (loss[at] ?? 0)
    return new Uint8Array(out.buffer)
  },
}
