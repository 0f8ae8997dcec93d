import { blocksOf, type Blocks } from './blocks.ts'
import { cutTable, TABLE_STEPS, type Cut } from './clipping.ts'
import type { Rgb } from '../effect.ts'
import { medianOf } from '../math/median.ts'

/**
 * The deviation of one plane's noise, in levels of 0..255, told three times: by its finest frequencies, and by those an octave and two below, as white
 * noise of the same density would have it. Compression takes the finest away, so that noise of a JPEG shows in the others only.
 */
export interface Spectrum {
  readonly fine: number
  readonly middle: number
  readonly low: number
}

/** What a picture tells of its noise. */
export interface Noise {
  /** Of each opponent plane. */
  readonly spectra: readonly [Spectrum, Spectrum, Spectrum]
  /** Whether it was cut off at black and at white. */
  readonly cut: Cut
}

/** The share of squares that tell a plane's noise, those with the least to see in them, and how many there must be. */
const [SHARE, FEWEST] = [0.006, 48]
/** Where so many squares hold one colour and nothing else, a picture was drawn, and what is fine in it is no noise. */
const DRAWN_SHARE = 0.02
/** The median of a mean of 21 squares of normal deviates, which is a little below their mean. */
const MEDIAN = 0.9685
/** Where squares hold so many times more energy in lower frequencies than in higher ones, a scale shows noise for sure, and where for sure not. */
const [NOISE_LIKE, PICTURE_LIKE] = [1.4, 2.2]
/** How much stronger noise must be at a coarser scale than at a finer to be another. */
const STRONGER = 1.3

const median = (values: Float32Array, chosen: readonly number[]): number => medianOf(chosen.map((at) => values[at] ?? 0)) ?? 0

/**
 * The deviation of one plane's noise: of the squares with the least energy among lower frequencies, the median energy among higher ones
 * (Ponomarenko et al. 2007; Colom and Buades 2013). Nought where too few squares tell. How far it is noise, 0..1: what a picture shows has far more
 * energy in lower frequencies.
 */
function deviationOf({ lower, higher, isOpen, count }: Blocks, plane: number): { readonly deviation: number; readonly trust: number } {
  const [lowers = new Float32Array(), highers = new Float32Array()] = [lower[plane], higher[plane]]
  const open: number[] = []
  for (let at = 0; at < count; at++) if (isOpen[at] === 1) open.push(at)
  if (open.length < FEWEST) return { deviation: 0, trust: 0 }
  const byLower = open.toSorted((a, b) => (lowers[a] ?? 0) - (lowers[b] ?? 0))
  const chosen = byLower.slice(0, Math.max(FEWEST, Math.round(open.length * SHARE)))
  const energy = median(highers, chosen)
  const slope = median(lowers, chosen) / Math.max(1e-3, energy)
  const trust = Math.min(1, Math.max(0, (PICTURE_LIKE - slope) / (PICTURE_LIKE - NOISE_LIKE)))
  return { deviation: Math.sqrt(energy / MEDIAN), trust }
}

/** One plane's noise, by squares of the picture at its size, half and a quarter of it. Luma is not asked at a quarter: too much is seen in it there. */
function spectrumOf([whole, half, quarter]: readonly [Blocks, Blocks, Blocks], plane: number): Spectrum {
  const fine = deviationOf(whole, plane).deviation
  const coarser = (blocks: Blocks, scale: number, finer: number): number => {
    const { deviation, trust } = deviationOf(blocks, plane)
    const found = deviation * scale * trust
    return found > STRONGER * finer ? found : finer
  }
  const middle = coarser(half, 2, fine)
  return { fine, middle, low: plane === 0 ? middle : coarser(quarter, 4, middle) }
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

/** Deviations of red, green and blue, from what opponent planes have at middle frequencies. */
export function colourDeviations(spectra: Noise['spectra']): readonly [number, number, number] {
  const [light, warm, green] = [spectra[0].middle, spectra[1].middle, spectra[2].middle]
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
  const whole = blocksOf(picture, 1)
  const none = { fine: 0, middle: 0, low: 0 }
  if (isDrawn(whole)) return { spectra: [none, none, none], cut: { dark: false, light: false } }
  const scales = [whole, blocksOf(picture, 2), blocksOf(picture, 4)] as const
  const spectra = [spectrumOf(scales, 0), spectrumOf(scales, 1), spectrumOf(scales, 2)] as const
  const colours = colourDeviations(spectra)
  return { spectra, cut: { dark: isCut(whole.dark, whole, colours, false), light: isCut(whole.light, whole, colours, true) } }
}
