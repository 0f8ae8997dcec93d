import type { Effect } from '../effect.ts'
import type { OptionsOf } from '#shared/tools/index'

/** What a picture tells before its effect. */
export interface EnhanceColourMeasure {
  readonly strength: number
}

/** TODO: to be made. */
export const enhanceColour: Effect<OptionsOf<'enhance-colour'>, EnhanceColourMeasure> = {
  measure: () => undefined,
  reach: () => 0,
  apply: ({ data }) => data,
}
