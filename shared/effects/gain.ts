import type { OptionsOf } from '#shared/tools/index'

/** How much of what an effect would do by itself it shall do: 1 for `auto` and 50 by hand, 0 for 0, and `most` for 100. */
export function gainOf(strength: OptionsOf<'sharpen'>['strength'], most: number): number {
  if (strength.by === 'auto') return 1
  return strength.amount <= 50 ? strength.amount / 50 : 1 + ((strength.amount - 50) / 50) * (most - 1)
}
