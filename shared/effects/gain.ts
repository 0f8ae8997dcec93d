import type { OptionsOf } from '#shared/tools/index'

type Strength = OptionsOf<'sharpen'>['strength']

/** What is asked for of what an effect would do by itself: the share of it that is made, and how far beyond it, both 0..1; `auto` is all and nothing more. */
export function effortOf(strength: Strength): { readonly share: number; readonly more: number } {
  const amount = strength.by === 'auto' ? 50 : strength.amount
  return { share: Math.min(1, amount / 50), more: Math.max(0, amount - 50) / 50 }
}

/** How much of what an effect would do by itself it shall do: 1 for `auto` and 50 by hand, 0 for 0, and `most` for 100. */
export function gainOf(strength: Strength, most: number): number {
  const { share, more } = effortOf(strength)
  return share + more * (most - 1)
}
