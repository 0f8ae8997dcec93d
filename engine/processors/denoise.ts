import { effectProcessor } from '../effects/effect-processor.ts'
import { denoise as effect } from '#shared/effects/denoise/denoise'

/** `effectProcessor` of `#shared/effects/denoise`. */
export const denoise = effectProcessor<'denoise', Parameters<typeof effect.reach>[0]>(effect)
