import type { Options } from '../state/settings.ts'
import type { Cases, Fields } from '#shared/tools/field'

/** The fields of one case of a variant; none for a case that is not there. */
export const caseOf = (cases: Cases, by: string): Fields => (Object.hasOwn(cases, by) ? (cases[by]?.fields ?? {}) : {})

/**
 * What matters most of a page's options, in a few characters: the first choice or number of those shown, or of the way chosen, as `JPG`
 * or `200 KB`; empty where there is none.
 */
export function summaryOf(fields: Fields, options: Options, shown: readonly string[] = Object.keys(fields)): string {
  for (const key of shown) {
    const view = fields[key]?.view
    const value = options[key]
    if (view === undefined) continue
    if (view.kind === 'choice') return view.choices.find((one) => one.value === value)?.label ?? ''
    if (view.kind === 'number' && Number.isFinite(value)) return `${String(value)} ${view.unit}`.replace(' %', '%').trim()
    if (view.kind !== 'variant' || typeof value !== 'object' || value === null) continue
    const inner: Options = { ...value }
    const found = summaryOf(caseOf(view.cases, String(inner['by'])), inner)
    if (found !== '') return found
  }
  return ''
}
