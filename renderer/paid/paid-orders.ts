import type { z } from 'zod/mini'
import type { paidOrder } from '#shared/api/operators'
import { dayOf, daysBefore } from '#shared/china-time'
import { decimalYuan } from '#shared/plans'

export type PaidOrder = z.infer<typeof paidOrder>
export type Channel = PaidOrder['channel']

/** The channels, with the last of the days back each offers, today being 0. */
export const channels = [
  { id: 'biying', label: '必应', daysBack: 16 },
  { id: '360', label: '360', daysBack: 1 },
] as const satisfies readonly { readonly id: Channel; readonly label: string; readonly daysBack: number }[]

/** The day so many days before the one it is in China, as the report asks for it: month/day/year without padding. */
export function dateNyr(daysBack: number, nowMs: number): string {
  const [year, month, day] = daysBefore(dayOf(nowMs), daysBack).split('-').map(Number)
  return `${month}/${day}/${year}`
}

export function dayLabel(daysBack: number): string {
  if (daysBack === 0) return '今天'
  return daysBack === 1 ? '昨天' : `${daysBack} 天前`
}

/** What orders come to, in yuan. Added up in fen: 0.1 + 0.2 is not 0.3. */
export const sumOf = (orders: readonly PaidOrder[]): string =>
  decimalYuan(orders.reduce((fen, { price }) => fen + Math.round(price * 100), 0))

/** A table as spreadsheets open it: with a byte order mark, or Excel takes it for GBK, and nothing in it that counts as a formula. */
export const csvOf = (rows: readonly (readonly string[])[]): string =>
  `\uFEFF${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`

const cell = (text: string): string => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
