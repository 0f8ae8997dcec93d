import { colourOfLevels, levelsOf } from './colour.ts'
import { PATTERN, type Pattern } from './graphics-state.ts'
import { identity, mapped, matrixOf, scaleOf, times, type Matrix } from './matrix.ts'
import type { Gradient } from './painted.ts'

/** pdf.js puts a stop this close to an end where the colours do not go on beyond it. */
const BESIDE_END = 1e-5

const point = (value: unknown): readonly [number, number] | undefined =>
  Array.isArray(value) && Number.isFinite(value[0]) && Number.isFinite(value[1]) ? [Number(value[0]), Number(value[1])] : undefined

type Stop = readonly [number, string]

const stopsOf = (value: unknown): Stop[] =>
  Array.isArray(value) ? value.flatMap((stop: unknown): Stop[] => (Array.isArray(stop) ? [[Number(stop[0]), String(stop[1])]] : [])) : []

/** What pdf.js writes for what is not there; the second where the description went through its binary form. */
const isNothing = (colour: string | undefined): boolean => colour === 'transparent' || colour === '#000000'

/**
 * The gradient of an axial or radial shading as pdf.js describes it (ISO 32000-1 §8.7.4.5), on the page; undefined for those of other kinds.
 */
export function gradientOf(shading: unknown, map: Matrix): Gradient | undefined {
  if (!Array.isArray(shading) || shading[0] !== 'RadialAxial') return undefined
  const [from, to] = [point(shading[4]), point(shading[5])]
  let stops = stopsOf(shading[3])
  const [first, second, beforeLast, last] = [stops[0], stops[1], stops.at(-2), stops.at(-1)]
  if (!from || !to || !first || !second || !beforeLast || !last) return undefined
  const goesOn: [boolean, boolean] = [true, true]
  if (second[0] > 0 && second[0] < BESIDE_END && isNothing(first[1])) {
    stops = [[0, second[1]], ...stops.slice(2)]
    goesOn[0] = false
  }
  if (beforeLast[0] < 1 && beforeLast[0] > 1 - BESIDE_END && isNothing(last[1])) {
    stops = [...stops.slice(0, -2), [1, beforeLast[1]]]
    goesOn[1] = false
  }
  const scale = scaleOf(map)
  const radii = shading[1] === 'radial' ? { radii: [Number(shading[6]) * scale, Number(shading[7]) * scale] as const } : {}
  return { from: mapped(map, ...from), to: mapped(map, ...to), ...radii, stops, extends: goesOn }
}

/** What a gradient's colours come to on the whole; undefined where it has none. */
function meanColour({ stops }: Gradient): string | undefined {
  const sums = [0, 0, 0]
  let all = 0
  for (const [n, [place, colour]] of stops.entries()) {
    const [before, after] = [stops[n - 1]?.[0] ?? 0, stops[n + 1]?.[0] ?? 1]
    const share = (after - before) / 2 + (n === 0 ? place / 2 : 0) + (n === stops.length - 1 ? (1 - place) / 2 : 0)
    for (const [channel, level] of levelsOf(colour).entries()) sums[channel] = (sums[channel] ?? 0) + share * level
    all += share
  }
  return all > 0 && sums.every(Number.isFinite) ? colourOfLevels(sums.map((sum) => sum / all)) : undefined
}

/** The pattern that pdf.js's arguments tell of, drawn from a space that `base` leads out of; undefined for a shading that paints nothing. */
export function patternOf(args: readonly unknown[], base: Matrix, objectAt: (id: string) => unknown): Pattern | undefined {
  const [kind, id, map] = args
  const shading = kind === 'Shading' && typeof id === 'string' ? objectAt(id) : undefined
  if (Array.isArray(shading) && shading[0] === 'Dummy') return undefined
  const gradient = gradientOf(shading, times(base, matrixOf(map) ?? identity))
  return gradient ? { gradient } : { kind: String(kind) }
}

/** The one colour that stands for a pattern: what a gradient comes to, and for what only a renderer can draw `PATTERN`. */
export const colourFor = (pattern: Pattern | undefined): string =>
  (pattern && 'gradient' in pattern ? meanColour(pattern.gradient) : undefined) ?? PATTERN

/** A pattern of pdf.js's arguments, after the colour that stands for it. */
export function patternInk(...where: Parameters<typeof patternOf>): readonly [string, Pattern | undefined] {
  const pattern = patternOf(...where)
  return [colourFor(pattern), pattern]
}
