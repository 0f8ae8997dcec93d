import { clockOf, momentOf } from '#shared/china-time'

/** A moment in Asia/Shanghai as `2026-07-29 09:30:00`. */
export const plainTime = (ms: number): string => clockOf(ms).replace('T', ' ')

/** A moment of `plainTime`; NaN for anything else. */
export const readPlainTime = (text: string): number => momentOf(text.trim().replace(' ', 'T'))

/** A moment in Asia/Shanghai as RFC 3339 has it, to the second. */
export const rfc3339 = (ms: number): string => `${clockOf(ms)}+08:00`

/** Fen of an amount in yuan, or NaN for what is none. */
export const fenOf = (yuan: string): number => (/^\d{1,9}(\.\d{1,2})?$/.test(yuan.trim()) ? Math.round(Number(yuan) * 100) : NaN)
