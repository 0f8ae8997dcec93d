import { effectProcessor } from '../effects/effect-processor.ts'
import { repairJpeg as effect } from '#shared/effects/repair-jpeg/repair-jpeg'

/** `effectProcessor` of `#shared/effects/repair-jpeg`. */
export const repairJpeg = effectProcessor<'repair-jpeg', Parameters<typeof effect.reach>[0]>(effect)
