import type { Effect } from '../effect.ts'
import type { OptionsOf } from '#shared/tools/index'

/** What a picture tells before its effect. */
export interface RepairJpegMeasure {
  readonly strength: number
}

/** TODO: to be made. */
export const repairJpeg: Effect<OptionsOf<'repair-jpeg'>, RepairJpegMeasure> = {
  measure: () => undefined,
  reach: () => 0,
  apply: ({ data }) => data,
}
