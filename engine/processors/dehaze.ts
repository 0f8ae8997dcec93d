import { effectProcessor } from '../effects/effect-processor.ts'
import { dehaze as effect } from '#shared/effects/dehaze/dehaze'

/** `effectProcessor` of `#shared/effects/dehaze`. */
export const dehaze = effectProcessor<'dehaze', Parameters<typeof effect.reach>[0]>(effect)
