import { effectProcessor } from '../effects/effect-processor.ts'
import { sharpen as effect } from '#shared/effects/sharpen/sharpen'

/** `effectProcessor` of `#shared/effects/sharpen`. */
export const sharpen = effectProcessor<'sharpen', Parameters<typeof effect.reach>[0]>(effect)
