/** China keeps one time all year round. */
const AHEAD_MS = 8 * 3_600_000
const DAY_MS = 86_400_000

/** The day it is in Asia/Shanghai, as `2026-07-29`. */
export const dayOf = (ms: number): string => new Date(ms + AHEAD_MS).toISOString().slice(0, 10)

/** When that day begins and ends there. */
export function boundsOf(day: string): { readonly from: Date; readonly to: Date } {
  const from = Date.parse(`${day}T00:00:00+08:00`)
  return { from: new Date(from), to: new Date(from + DAY_MS) }
}

/** The day so many days before. */
export const daysBefore = (day: string, days: number): string => dayOf(boundsOf(day).from.getTime() - days * DAY_MS)
