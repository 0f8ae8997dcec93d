import type { Options } from '../state/settings.ts'
import type { Cases, Fields } from '#shared/tools/field'

/** The fields of one case of a variant; none for a case that is not there. */
export const caseOf = (cases: Cases, by: string): Fields => (Object.hasOwn(cases, by) ? (cases[by]?.fields ?? {}) : {})

/** The colours that have a name. */
export const colourNames: Readonly<Record<string, string>> = {
  transparent: '透明',
  '#ffffff': '白',
  '#000000': '黑',
  '#438edb': '蓝',
  '#ff0000': '红',
}

/** Whether a variant is a background: one of its cases is a colour. */
export const isGround = (cases: Cases): boolean => caseOf(cases, 'colour')['colour']?.view.kind === 'colour'

/** How many tiles a background has: its usual colours, one of one's own, and its other cases. */
export function tilesOf(cases: Cases): number {
  const view = caseOf(cases, 'colour')['colour']?.view
  return Object.keys(cases).length + (view?.kind === 'colour' ? view.presets.length : 0)
}

/** The name of a background, for a variant that is one. */
function groundOf(cases: Cases, { by, colour }: Options): string | undefined {
  if (!isGround(cases)) return undefined
  return by === 'colour' ? (colourNames[String(colour)] ?? String(colour)) : cases[String(by)]?.label
}

/**
 * What matters most of a page's options, in a few characters: the first background, choice or number of those shown, or of the way chosen, as
 * `蓝`, `JPG` or `200 KB`; empty where there is none, or it is left to the tool.
 */
export function summaryOf(fields: Fields, options: Options, shown: readonly string[] = Object.keys(fields)): string {
  for (const key of shown) {
    const view = fields[key]?.view
    const value = options[key]
    if (view === undefined) continue
    if (view.kind === 'choice' && value !== 'auto') return view.choices.find((one) => one.value === value)?.label ?? ''
    if (view.kind === 'number' && Number.isFinite(value) && value !== 0) return `${String(value)} ${view.unit}`.replace(' %', '%').trim()
    if (view.kind !== 'variant' || typeof value !== 'object' || value === null) continue
    const inner: Options = { ...value }
    const ground = groundOf(view.cases, inner)
    if (ground !== undefined) return ground
    const found = summaryOf(caseOf(view.cases, String(inner['by'])), inner)
    if (found !== '') return found
  }
  return ''
}
