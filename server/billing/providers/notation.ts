const AHEAD_MS = 8 * 3_600_000

/** A moment in Asia/Shanghai as `2026-07-29 09:30:00`. */
export const plainTime = (ms: number): string => new Date(ms + AHEAD_MS).toISOString().slice(0, 19).replace('T', ' ')

/** A moment of `plainTime`; NaN for anything else. */
export const readPlainTime = (text: string): number => Date.parse(`${text.trim().replace(' ', 'T')}+08:00`)

/** A moment in Asia/Shanghai as RFC 3339 has it, to the second. */
export const rfc3339 = (ms: number): string => `${new Date(ms + AHEAD_MS).toISOString().slice(0, 19)}+08:00`

/** Fen as both providers write yuan: 980 is `9.80`. */
export const decimalYuan = (fen: number): string => (fen / 100).toFixed(2)

/** Fen of an amount in yuan, or NaN for what is none. */
export const fenOf = (yuan: string): number => (/^\d{1,9}(\.\d{1,2})?$/.test(yuan.trim()) ? Math.round(Number(yuan) * 100) : NaN)
