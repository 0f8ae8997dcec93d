import type { Size } from '#shared/resize'

/** A stretching that sizes remembered in a file would mean, as a natural logarithm, and how much of them says so; all shares come to 1. */
export interface RememberedStretch {
  readonly stretch: number
  readonly share: number
}

/**
 * Proportions that pictures of usual proportions have, wide or tall, and how many have them: of cameras, screens and films, papers (ISO 216),
 * photo prints, phones (19.5:9 and 20:9) and cinemas.
 */
const USUAL = [
  [1, 0.12],
  [4 / 3, 0.3],
  [3 / 2, 0.23],
  [16 / 9, 0.2],
  [5 / 4, 0.03],
  [7 / 5, 0.02],
  [16 / 10, 0.02],
  [Math.SQRT2, 0.02],
  [2, 0.01],
  [19.5 / 9, 0.02],
  [20 / 9, 0.02],
  [21 / 9, 0.01],
] as const

/** How many pictures have other proportions, and how dense those lie, as a logarithm. */
const UNUSUAL = 0.4
const UNUSUAL_DENSITY = 1 / 1.4
/** How likely a picture is as it should be before one looks at it; of the others so many were brought to usual proportions, the rest by any stretching. */
const AS_IT_IS = 0.5
const AIMED = 0.25
/** How exactly proportions are met, as a logarithm: sides are whole pixels. */
const MEETS = 0.005
/** How likely the sizes that a file remembers are those before a stretching, where they have other proportions: a crop leaves them too. */
const REMEMBERED = 0.6
/** Of such sizes, how many lie as the picture does: a program may have turned it and left them. */
const AS_IT_LIES = 0.8
/** Proportions that differ by less, as a logarithm, are the same. */
const SAME = 0.02

/** A normal distribution's density. */
export const normal = (off: number, deviation: number): number =>
  Math.exp(-0.5 * (off / deviation) ** 2) / (deviation * Math.sqrt(2 * Math.PI))

/** How dense pictures of usual proportions lie where width over height has a logarithm. */
const usualDensity = (shape: number): number =>
  USUAL.reduce((sum, [ratio, share]) => {
    const off = Math.log(ratio)
    return sum + (share / 2) * (normal(shape - off, MEETS) + normal(shape + off, MEETS))
  }, 0)

/** How dense all pictures lie there that are as they should be. */
const density = (shape: number): number => (1 - UNUSUAL) * usualDensity(shape) + UNUSUAL * UNUSUAL_DENSITY

/** The stretchings that remembered sizes would mean for a picture; none where they have its proportions as they lie, or turned by a quarter. */
export function rememberedStretches({ width, height }: Size, sizes: readonly Size[]): readonly RememberedStretch[] {
  const shape = Math.log(width / height)
  const shapes = sizes.map((size) => Math.log(size.width / size.height))
  const different = shapes.filter(
    (one, at) =>
      Math.abs(Math.abs(one) - Math.abs(shape)) > SAME && !shapes.slice(0, at).some((other) => Math.abs(one - other) <= SAME / 2),
  )
  return different.flatMap((one) => [
    { stretch: shape - one, share: AS_IT_LIES / different.length },
    { stretch: shape + one, share: (1 - AS_IT_LIES) / different.length },
  ])
}

/**
 * How likely stretchings are, given as evenly spaced logarithms, before a picture is looked at, in no unit: from its own proportions and from those it would have
 * had (Bayes' rule; what is of unusual proportions is rather thought to be stretched, but many pictures are), and from remembered sizes.
 */
export function priorOf({ width, height }: Size, stretches: Float64Array, remembered: readonly RememberedStretch[]): Float64Array {
  const shape = Math.log(width / height)
  const [here, aimed] = [density(shape), AIMED * usualDensity(shape)]
  const reach = (stretches.at(-1) ?? 0) - (stretches[0] ?? 0)
  const prior = stretches.map(
    (stretch) => AS_IT_IS * here * normal(stretch, MEETS) + (1 - AS_IT_IS) * density(shape - stretch) * ((1 - AIMED) / reach + aimed),
  )
  if (remembered.length === 0) return prior
  const mean = prior.reduce((sum, value) => sum + value, 0) / prior.length
  return prior.map((value, at) => {
    const near = remembered.reduce((sum, one) => sum + one.share * normal((stretches[at] ?? 0) - one.stretch, MEETS), 0)
    return ((1 - REMEMBERED) * value) / (mean * reach) + REMEMBERED * near
  })
}
