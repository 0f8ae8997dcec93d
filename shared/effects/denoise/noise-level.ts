import { blocksOf, type Blocks } from './blocks.ts'
import { cutTable, TABLE_STEPS, type Cut } from './clipping.ts'
import type { Rgb } from '../effect.ts'

/** What a picture tells of its noise, in levels of 0..255. */
export interface Noise {
  /** Its deviation in each opponent plane. */
  readonly deviations: readonly [number, number, number]
  /** Whether it was cut off at black and at white. */
  readonly cut: Cut
}

/** The share of squares that tell a plane's noise, those with the least to see in them, and how many there must be. */
const [SHARE, FEWEST] = [0.005, 48]
/** Where so many squares hold one colour and nothing else, a picture was drawn, and what is fine in it is no noise. */
const DRAWN_SHARE = 0.02
/** The median of a mean of 21 squares of normal deviates, which is a little below their mean. */
const MEDIAN = 0.9685

/**
 * The deviation of one plane's noise: of the squares with the least energy among lower frequencies, the median energy among higher ones
 * (Ponomarenko et al. 2007; Colom and Buades 2013). Nought where too few squares tell.
 */
function deviationOf({ lower, higher, isOpen, count }: Blocks, plane: number): number {
  const [lowers = new Float32Array(), highers = new Float32Array()] = [lower[plane], higher[plane]]
  const open: number[] = []
  for (let at = 0; at < count; at++) if (isOpen[at] === 1) open.push(at)
  if (open.length < FEWEST) return 0
  const byLower = open.toSorted((a, b) => (lowers[a] ?? 0) - (lowers[b] ?? 0))
  const chosen = byLower.slice(0, Math.max(FEWEST, Math.round(open.length * SHARE)))
  const energies = chosen.map((at) => highers[at] ?? 0).toSorted((a, b) => a - b)
  return Math.sqrt((energies[energies.length >> 1] ?? 0) / MEDIAN)
}

/** Whether much of a picture is of one colour to the last bit, as no camera makes it. */
function isDrawn({ lower, higher, isOpen, count }: Blocks): boolean {
  let flat = 0
  for (let at = 0; at < count; at++) {
    let energy = 0
    for (let plane = 0; plane < 3; plane++) energy += (lower[plane]?.[at] ?? 0) + (higher[plane]?.[at] ?? 0)
    if (isOpen[at] === 1 && energy < 1e-6) flat++
  }
  return flat > DRAWN_SHARE * count
}

/** Deviations of red, green and blue, from those of the opponent planes. */
export function colourDeviations([light, warm, green]: Noise['deviations']): readonly [number, number, number] {
  const side = Math.sqrt(light ** 2 / 3 + warm ** 2 / 2 + green ** 2 / 6)
  return [side, Math.sqrt(light ** 2 / 3 + (green ** 2 * 2) / 3), side]
}

/** Whether so many samples lie at an end of the range as noise around their means must have put there. */
function isCut(shares: readonly Float32Array[], { means, count }: Blocks, deviations: readonly number[], isLight: boolean): boolean {
  let [seen, due] = [0, 0]
  for (const [c, deviation] of deviations.entries()) {
    if (deviation < 0.5) continue
    const table = cutTable(deviation)
    for (let at = 0; at < count; at++) {
      const mean = means[c]?.[at] ?? 0
      const share = table[Math.round((isLight ? 255 - mean : mean) * TABLE_STEPS)] ?? 0
      if (share < 0.05 || mean === 0 || mean === 255) continue
      seen += Math.min(share, shares[c]?.[at] ?? 0)
      due += share
    }
  }
  return due > 0 && seen > due / 2
}

/** The noise of a picture, without any knowledge of it: small for what is clean, nought for what was drawn. */
export function noiseOf(picture: Rgb): Noise {
  const blocks = blocksOf(picture)
  if (isDrawn(blocks)) return { deviations: [0, 0, 0], cut: { dark: false, light: false } }
  const deviations = [deviationOf(blocks, 0), deviationOf(blocks, 1), deviationOf(blocks, 2)] as const
  const colours = colourDeviations(deviations)
  return {
    deviations,
    cut: { dark: isCut(blocks.dark, blocks, colours, false), light: isCut(blocks.light, blocks, colours, true) },
  }
}
