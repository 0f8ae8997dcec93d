import { effectProcessor } from '../effects/effect-processor.ts'
import { removeMoire as effect } from '#shared/effects/remove-moire/remove-moire'

/** `effectProcessor` of `#shared/effects/remove-moire`. */
export const removeMoire = effectProcessor<'remove-moire', Parameters<typeof effect.reach>[0]>(effect)
