const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS

/** How old an order is when its provider is asked first, and until which age how often it is asked then. */
const FIRST_MS = [5 * SECOND_MS, 15 * SECOND_MS, 30 * SECOND_MS, MINUTE_MS] as const
const PACES = [
  { until: 15 * MINUTE_MS, every: MINUTE_MS },
  { until: 2 * HOUR_MS, every: 5 * MINUTE_MS },
  { until: 24 * HOUR_MS, every: HOUR_MS },
] as const

/** When the provider is asked about an order next; null once it is a day old. Whoever watches it makes that sooner. */
export function nextQuery(createdAt: number, now: number): Date | null {
  const age = now - createdAt
  const first = FIRST_MS.find((ms) => ms > age)
  if (first !== undefined) return new Date(createdAt + first)
  const pace = PACES.find(({ until }) => age < until)
  return pace ? new Date(now + pace.every) : null
}

/** When an order that is closed is looked at again: seldom is one paid in the very moment it was closed. */
export const nextLook = (createdAt: number, now: number): Date | null => nextQuery(createdAt, now) && new Date(now + HOUR_MS)
