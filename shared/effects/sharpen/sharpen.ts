import type { Effect } from '../effect.ts'
import type { OptionsOf } from '#shared/tools/index'

/** What a picture tells before its effect. */
export interface SharpenMeasure {
  readonly strength: number
}

/** TODO: to be made. */
export const sharpen: Effect<OptionsOf<'sharpen'>, SharpenMeasure> = {
  measure: () => undefined,
  reach: () => 0,
  apply: ({ data }) => data,
}
