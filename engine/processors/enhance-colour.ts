import { effectProcessor } from '../effects/effect-processor.ts'
import { enhanceColour as effect } from '#shared/effects/enhance-colour/enhance-colour'

/** `effectProcessor` of `#shared/effects/enhance-colour`. */
export const enhanceColour = effectProcessor<'enhance-colour', Parameters<typeof effect.reach>[0]>(effect)
