import type { Effect } from '../effect.ts'
import type { OptionsOf } from '#shared/tools/index'

/** What a picture tells before its effect. */
export interface DenoiseMeasure {
  readonly strength: number
}

/** TODO: to be made. */
export const denoise: Effect<OptionsOf<'denoise'>, DenoiseMeasure> = {
  measure: () => undefined,
  reach: () => 0,
  apply: ({ data }) => data,
}
