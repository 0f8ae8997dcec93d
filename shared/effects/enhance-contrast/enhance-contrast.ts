import type { Effect } from '../effect.ts'
import type { OptionsOf } from '#shared/tools/index'

/** What a picture tells before its effect. */
export interface EnhanceContrastMeasure {
  readonly strength: number
}

/** TODO: to be made. */
export const enhanceContrast: Effect<OptionsOf<'enhance-contrast'>, EnhanceContrastMeasure> = {
  measure: () => undefined,
  reach: () => 0,
  apply: ({ data }) => data,
}
