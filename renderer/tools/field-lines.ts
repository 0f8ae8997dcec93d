import type { Field } from '#shared/tools/field'

/** A field with its key. */
export type Entry = readonly [key: string, field: Field<unknown>]

/** One field, or two that stand side by side. */
export type Line = readonly [first: Entry, second?: Entry]

const isPair = ([, one]: Entry, [, other]: Entry): boolean => {
  if (one.view.kind !== 'number' || other.view.kind !== 'number') return false
  const hasMore = [one, other].some(({ hint, view }) => hint !== undefined || (view.kind === 'number' && view.presets.length > 0))
  return !hasMore && one.view.unit === other.view.unit
}

/** Fields in the lines a form shows them in: plain numbers of one unit, a width and a height, share one. */
export function inLines([first, second, ...rest]: readonly Entry[]): readonly Line[] {
  if (first === undefined) return []
  if (second === undefined) return [[first]]
  if (isPair(first, second)) return [[first, second], ...inLines(rest)]
  return [[first], ...inLines([second, ...rest])]
}
