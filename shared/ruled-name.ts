import { nameAround, pageSuffix, splitName } from '#shared/names'
import { SOURCE_NAME, writtenBy, type RuledResult } from '#shared/tools/file-name'

/** A result that is given a name. */
export interface NamedResult extends Omit<RuledResult, 'stem'> {
  /** Its own name, which keeps its extension. */
  readonly name: string
  /** Of a source's several results: which, from 1, of how many. */
  readonly page?: readonly [page: number, count: number] | undefined
}

/** The name a rule gives a result; safe on every system, and another one for each of a source's results. */
export function ruledName(rule: string, { name, page, ...facts }: NamedResult): string {
  const { stem, extension } = splitName(name)
  // Its own name tells a page from the others already.
  const whole = page && rule !== '' && !rule.includes(SOURCE_NAME) ? rule + pageSuffix(...page) : rule
  return nameAround(stem, (part) => writtenBy(whole, { ...facts, stem: part }), extension)
}
