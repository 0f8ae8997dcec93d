import type { Effect } from '../effect.ts'
import type { OptionsOf } from '#shared/tools/index'

/** What a picture tells before its effect. */
export interface RemoveMoireMeasure {
  readonly strength: number
}

/** TODO: to be made. */
export const removeMoire: Effect<OptionsOf<'remove-moire'>, RemoveMoireMeasure> = {
  measure: () => undefined,
  reach: () => 0,
  apply: ({ data }) => data,
}
