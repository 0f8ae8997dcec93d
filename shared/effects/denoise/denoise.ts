import { TABLE_STEPS, unclipTable, type Cut } from './clipping.ts'
import { colourDeviations, noiseOf } from './noise-level.ts'
import type { Effect } from '../effect.ts'
import { eachRgb, toOpponent } from '../math/opponent.ts'
import type { Plane } from '../math/plane.ts'
import { slideDct } from '../math/sliding-dct.ts'
import type { OptionsOf } from '#shared/tools/index'

/** What a picture tells of its noise, and how much of what is found is taken out. */
export interface DenoiseMeasure {
  /** The deviation of the noise in each opponent plane that is taken out, in levels. */
  readonly deviations: readonly [number, number, number]
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

/** A plane without its noise: squares' small frequencies cut off first, then every frequency damped by what that left of it. */
function cleaned(plane: Plane, deviation: number): Plane {
  if (deviation < LEAST) return plane
  const pilot = slideDct(plane, { step: 1, levels: new Float32Array(64).fill(BOUND * deviation) })
  return slideDct(plane, { step: 1, levels: new Float32Array(64).fill(deviation ** 2), pilot })
}

/** Noise taken out by the transform of sliding squares in two stages, as much as the picture is found to have. */
export const denoise: Effect<OptionsOf<'denoise'>, DenoiseMeasure> = {
  measure: (picture, { strength }) => {
    const amount = strength.by === 'auto' ? 50 : strength.amount
    if (amount === 0) return undefined
    const { deviations, cut } = noiseOf(picture)
    const more = Math.max(0, amount - 50) / 50
    const [light, warm, green] = deviations.map((deviation) =>
      Math.max(seen(deviation) * (1 + (MOST - 1) * more), deviation > 0 ? LEAST_AT_MOST * more : 0),
    )
    if (light === undefined || warm === undefined || green === undefined || Math.max(light, warm, green) < LEAST) return undefined
    return { deviations: [light, warm, green], cut, share: Math.min(1, amount / 50) }
  },
  reach: () => REACH,
  apply: (part, { deviations, cut, share }) => {
    const [light, warm, green] = toOpponent(part)
    const planes = [cleaned(light, deviations[0]), cleaned(warm, deviations[1]), cleaned(green, deviations[2])] as const
    const [side, middle] = colourDeviations(deviations)
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
