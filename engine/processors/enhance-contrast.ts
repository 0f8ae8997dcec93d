import { effectProcessor } from '../effects/effect-processor.ts'
import { enhanceContrast as effect } from '#shared/effects/enhance-contrast/enhance-contrast'

/** `effectProcessor` of `#shared/effects/enhance-contrast`. */
export const enhanceContrast = effectProcessor<'enhance-contrast', Parameters<typeof effect.reach>[0]>(effect)
