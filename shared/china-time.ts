/** A day in milliseconds. */
export const DAY_MS = 86_400_000
/** China keeps one time all year round. */
const AHEAD_MS = 8 * 3_600_000

/** A moment (milliseconds of UTC) as clocks in China show it: `2026-07-29T09:30:00`. */
export const clockOf = (ms: number): string => new Date(ms + AHEAD_MS).toISOString().slice(0, 19)

/** The moment at which clocks in China show this; NaN for what is no time. */
export const momentOf = (clock: string): number => Date.parse(`${clock}+08:00`)

/** The day it is in China, as `2026-07-29`. */
export const dayOf = (ms: number): string => clockOf(ms).slice(0, 10)

/** When that day begins and ends there. */
export function boundsOf(day: string): { readonly from: Date; readonly to: Date } {
  const from = momentOf(`${day}T00:00:00`)
  return { from: new Date(from), to: new Date(from + DAY_MS) }
}

/** The day so many days before. */
export const daysBefore = (day: string, days: number): string => dayOf(boundsOf(day).from.getTime() - days * DAY_MS)
