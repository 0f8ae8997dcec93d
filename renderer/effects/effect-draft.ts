import type { Options } from '../state/settings.ts'
import type { ToolPage } from '#shared/tools/index'
import type { Fields } from '#shared/tools/field'

/** The options an effect's editor shows: those of its page's form that mean something now. */
export function fieldsIn({ tool, page }: ToolPage, values: Options): Fields {
  const keys = (page.shows ?? Object.keys(tool.options)).filter((key) => tool.matters?.(key, values) ?? true)
  return Object.fromEntries(
    keys.flatMap((key) => {
      const field = tool.options[key]
      return field && !['strokes', 'hints'].includes(field.view.kind) ? [[key, field]] : []
    }),
  )
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** A file's own options once some were set: only those that the page has otherwise; none where there are no such. */
export function ownOptions(own: Options | undefined, common: Options, changed: Options): Options | undefined {
  const left = Object.entries({ ...own, ...changed }).filter(([key, value]) => !isSame(value, common[key]))
  return left.length > 0 ? Object.fromEntries(left) : undefined
}

/** Whether options ask for nothing: a strength of 0 by hand. */
export function isOff({ strength }: Options): boolean {
  return typeof strength === 'object' && strength !== null && 'amount' in strength && strength.amount === 0
}
