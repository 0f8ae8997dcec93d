import { TABLE_STEPS, unclipTable, type Cut } from './clipping.ts'
import { colourDeviations, noiseOf, type Noise, type Spectrum } from './noise-level.ts'
import type { Effect } from '../effect.ts'
import { effortOf } from '../gain.ts'
import { eachRgb, toOpponent } from '../math/opponent.ts'
import type { Plane } from '../math/plane.ts'
import { slideDct } from '../math/sliding-dct.ts'
import type { OptionsOf } from '#shared/tools/index'

/** What a picture tells of its noise, and how much of what is found is taken out. */
export interface DenoiseMeasure {
  /** The noise of each opponent plane that is taken out. */
  readonly spectra: Noise['spectra']
  readonly cut: Cut
  /** The share of the change that is made, 0..1. */
  readonly share: number
}

/** Noise that nobody sees: so much of it stays where a picture has it, so that clean pictures stay what they are. */
const UNSEEN = 1
/** Planes with less noise than this stay as they are. */
const LEAST = 0.5
/** How much more noise than is found is taken out at full strength, and what is taken for noise there at least, in levels. */
const [MOST, LEAST_AT_MOST] = [2.5, 8]
/** Bounds of the first stage, in deviations (2.7 to 3 is usual; a pilot does best with a little less). */
const BOUND = 2.6
/** Two stages, each over squares that reach seven pixels far. */
const REACH = 14

/** All but what is unseen of a deviation. */
const seen = (deviation: number): number => Math.sqrt(Math.max(0, deviation ** 2 - UNSEEN ** 2))

/** What is taken for noise of what was found, `more` than usual: 0..1. */
function taken({ fine, middle, low }: Spectrum, more: number): Spectrum {
  const one = (deviation: number): number => Math.max(seen(deviation) * (1 + (MOST - 1) * more), LEAST_AT_MOST * more)
  return { fine: one(fine), middle: one(middle), low: one(low) }
}

/** A number between two, at a share of the way. */
const between = (from: number, to: number, share: number): number => from + (to - from) * Math.min(1, Math.max(0, share))

/** The deviation of each frequency of a square: fine ones are those whose numbers add up to 9 and more, middle ones are half as high, low ones a quarter. */
function deviationsOf({ fine, middle, low }: Spectrum): Float32Array {
  return Float32Array.from({ length: 64 }, (_, at) => {
    const height = (at & 7) + (at >> 3)
    return height < 5 ? between(low, middle, (height - 2) / 3) : between(middle, fine, (height - 5) / 4)
  })
}

const most = ({ fine, middle, low }: Spectrum): number => Math.max(fine, middle, low)

/** A plane without its noise: squares' small frequencies cut off first, then every frequency damped by what that left of it. */
function cleaned(plane: Plane, spectrum: Spectrum): Plane {
  if (most(spectrum) < LEAST) return plane
  const deviations = deviationsOf(spectrum)
  const pilot = slideDct(plane, { step: 1, levels: deviations.map((deviation) => BOUND * deviation) })
  return slideDct(plane, { step: 1, levels: deviations.map((deviation) => deviation ** 2), pilot })
}

/** Noise taken out by the transform of sliding squares in two stages, as much as the picture is found to have. */
export const denoise: Effect<OptionsOf<'denoise'>, DenoiseMeasure> = {
  measure: (picture, { strength }) => {
    const { share, more } = effortOf(strength)
    if (share === 0) return undefined
    const { spectra, cut } = noiseOf(picture)
    const all = [taken(spectra[0], more), taken(spectra[1], more), taken(spectra[2], more)] as const
    if (Math.max(...all.map(most)) < LEAST) return undefined
    return { spectra: all, cut, share }
  },
  reach: () => REACH,
  apply: (part, { spectra, cut, share }) => {
    const [light, warm, green] = toOpponent(part)
    const planes = [cleaned(light, spectra[0]), cleaned(warm, spectra[1]), cleaned(green, spectra[2])] as const
    const [side, middle] = colourDeviations(spectra)
    const [sides, middles] = [unclipTable(side, cut), unclipTable(middle, cut)]
    const out = new Uint8ClampedArray(part.data.length)
    const mix = (at: number, value: number, table: Float32Array): void => {
      const mean = Math.min(255, Math.max(0, value))
      const open = value + (table[Math.round(mean * TABLE_STEPS)] ?? 0) - Math.round(mean * TABLE_STEPS) / TABLE_STEPS
      const old = part.data[at] ?? 0
      out[at] = old + (open - old) * share
    }
    eachRgb(planes, part, (at, red, green_, blue) => {
      mix(at, red, sides)
      mix(at + 1, green_, middles)
      mix(at + 2, blue, sides)
    })
    return new Uint8Array(out.buffer)
  },
}
