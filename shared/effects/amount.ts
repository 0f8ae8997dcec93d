import type { OptionsOf } from '#shared/tools/index'

/** How much of an effect is asked for: 1 is what `auto` does, 0 nothing, 2 the most. */
export const amountOf = (strength: OptionsOf<'sharpen'>['strength']): number => (strength.by === 'auto' ? 1 : strength.amount / 50)
