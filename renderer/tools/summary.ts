import type { Options } from '../state/settings.ts'
import type { Cases, Fields } from '#shared/tools/field'

/** The fields of one case of a variant; none for a case that is not there. */
export const caseOf = (cases: Cases, by: string): Fields => (Object.hasOwn(cases, by) ? (cases[by]?.fields ?? {}) : {})

/** What matters most of a page's options, in a few characters: the first number of the way chosen, as `200 KB`; empty where there is none. */
export function summaryOf(fields: Fields, options: Options): string {
  for (const [key, { view }] of Object.entries(fields)) {
    const value = options[key]
    if (view.kind === 'number' && Number.isFinite(value)) return `${String(value)} ${view.unit}`.replace(' %', '%').trim()
    if (view.kind !== 'variant' || typeof value !== 'object' || value === null) continue
    const inner: Options = { ...value }
    const found = summaryOf(caseOf(view.cases, String(inner['by'])), inner)
    if (found !== '') return found
  }
  return ''
}
