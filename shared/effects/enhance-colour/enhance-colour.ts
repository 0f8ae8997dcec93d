import { gainShare, gainsFor, type Gains } from './balance.ts'
import { livelier, vibranceFor } from './vibrance.ts'
import { effortOf, gainOf } from '../gain.ts'
import type { Effect, Rgb } from '../effect.ts'
import { emptyLab, LINEAR, putLight, rgbOf, type Lab } from '../math/lab.ts'
import type { OptionsOf } from '#shared/tools/index'

/** What 100 by hand is, in times of what `auto` does. */
const STRONGEST = 2

/** What a picture tells before its effect. */
export interface EnhanceColourMeasure {
  readonly gains: Gains
  readonly vibrance: number
}

const NO_GAINS: Gains = [1, 1, 1]

/** A part in Lab as another light would show it (von Kries: each channel by itself, in linear light). */
function relit({ data, width, height }: Rgb, [red, green, blue]: Gains): Lab {
  const lab = emptyLab(width * height)
  for (let at = 0, from = 0; from < data.length; at++, from += 3) {
    const [one, two, three] = [LINEAR[data[from] ?? 0] ?? 0, LINEAR[data[from + 1] ?? 0] ?? 0, LINEAR[data[from + 2] ?? 0] ?? 0]
    const share = gainShare(Math.min(one, two, three))
    const [r, g, b] = [one * (1 + share * (red - 1)), two * (1 + share * (green - 1)), three * (1 + share * (blue - 1))]
    // What comes above white is darkened as a whole: cut off by channel it would change its colour.
    const most = Math.max(1, r, g, b)
    putLight(lab, at, r / most, g / most, b / most)
  }
  return lab
}

/** Colour: the cast of the light taken out, then colours made livelier the less lively they are. */
export const enhanceColour: Effect<OptionsOf<'enhance-colour'>, EnhanceColourMeasure> = {
  measure: (picture, { strength, balance }) => {
    const amount = gainOf(strength, STRONGEST)
    const gains = balance && amount > 0 ? gainsFor(picture, effortOf(strength).share) : undefined
    const vibrance = vibranceFor(picture, gains ?? NO_GAINS) * amount
    return gains === undefined && vibrance === 0 ? undefined : { gains: gains ?? NO_GAINS, vibrance }
  },
  reach: () => 0,
  apply: (part, { gains, vibrance }) => {
    const lab = relit(part, gains)
    livelier(lab, vibrance)
    return rgbOf(lab, part)
  },
}
