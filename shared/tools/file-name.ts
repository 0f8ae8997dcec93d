import * as z from 'zod/mini'
import { dayOf } from '#shared/china-time'
import { PLAIN_CHARACTER } from '#shared/names'
import { text, type Field } from '#shared/tools/field'

/** What a file name rule may hold in braces; `{nn}` is a number of two digits at least. */
const PLACEHOLDER = /\{(name|n{1,4}|width|height|date)\}/g
/** With the longest of numbers in it, a rule of so many characters leaves room for a name. */
const MAX_LENGTH = 60

/** The rule that leaves names as they are. */
export const SOURCE_NAME = '{name}'

// Only placeholders there are, and nothing a name must not hold.
const RULE = new RegExp(`^(?:${PLACEHOLDER.source}|${PLAIN_CHARACTER})*$`, 'u')

const fileName: Field<string> = {
  ...text({
    label: '文件名',
    hint: '{name} 原文件名，{n} 序号（{nnn} 为三位），{width} {height} 宽高，{date} 日期',
    maxLength: MAX_LENGTH,
  }),
  initial: SOURCE_NAME,
  schema: z.string().check(z.trim(), z.maxLength(MAX_LENGTH), z.regex(RULE)),
}

/** Whether a file name rule can be kept to. */
export const isFileNameRule = (rule: string): boolean => fileName.schema.safeParse(rule).success

/** How results are named: the option shared by all tools that give each file a result of its own. */
export const naming = { fileName }

/** What a file name rule can say of a result. */
export interface RuledResult {
  /** The name it has without a rule, without its extension. */
  readonly stem: string
  /** Its source's place among the files that were handed in together, from 1. */
  readonly place: number
  readonly width?: number | undefined
  readonly height?: number | undefined
  readonly madeAt: Date
}

/** What a rule says of a result, as it is written; its own name where that comes to nothing. */
export function writtenBy(rule: string, { stem, place, width, height, madeAt }: RuledResult): string {
  const date = dayOf(madeAt.getTime()).replaceAll('-', '')
  const facts: Readonly<Record<string, unknown>> = { name: stem, width, height, date }
  const written = rule.replace(PLACEHOLDER, (_all, key: string) =>
    key in facts ? String(facts[key] ?? '') : String(place).padStart(key.length, '0'),
  )
  return /^[. ]*$/.test(written) ? stem : written
}
