import type { Effect } from '../effect.ts'
import type { OptionsOf } from '#shared/tools/index'

/** What a picture tells before its effect. */
export interface DehazeMeasure {
  readonly strength: number
}

/** TODO: to be made. */
export const dehaze: Effect<OptionsOf<'dehaze'>, DehazeMeasure> = {
  measure: () => undefined,
  reach: () => 0,
  apply: ({ data }) => data,
}
