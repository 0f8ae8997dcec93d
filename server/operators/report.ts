import { and, gte, inArray, lt } from 'drizzle-orm'
import type { z } from 'zod/mini'
import type { Database } from '../database/open.ts'
import { orders } from '../database/schema-billing.ts'
import type { paidOrder } from '#shared/api/operators'
import { boundsOf, clockOf, dayOf, daysBefore } from '#shared/china-time'
import { AppError } from '#shared/errors/app-error'

/** Days back from today that can be asked for. */
const DAYS_BACK = 16
/** Characters of an order's number that are shown. */
const SHOWN = 6

type PaidOrder = z.output<typeof paidOrder>

/** The day a report is asked for by, as `2026-07-29`. Throws `options.invalid` for what is no day, or too long ago, or not yet. */
export function askedDay(dateNyr: string, now: number): string {
  const [, month = '', day = '', year = ''] = /^([1-9]|1[0-2])\/([1-9]|[12]\d|3[01])\/(\d{4})$/.exec(dateNyr) ?? []
  const asked = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const today = dayOf(now)
  // Days that do not exist are none of these either.
  const isThere = Array.from({ length: DAYS_BACK + 1 }, (_, back) => daysBefore(today, back)).includes(asked)
  if (!isThere) throw new AppError('options.invalid', { label: '日期' })
  return asked
}

/** The orders paid on a day, in the order of their payment. One paid back stays in its place, so that places keep their meaning. */
const ordersOf = (db: Database, day: string) => {
  const { from, to } = boundsOf(day)
  return db
    .select()
    .from(orders)
    .where(and(gte(orders.paidAt, from), lt(orders.paidAt, to), inArray(orders.state, ['paid', 'refunded'])))
    .orderBy(orders.paidAt, orders.id)
}

/** The day's paid orders; one that was paid back brought nothing. */
export async function reportOf(db: Database, day: string): Promise<PaidOrder[]> {
  const [year = '', month = '', date = ''] = day.split('-').map((part) => String(Number(part)))
  return (await ordersOf(db, day)).map(({ id, paidAt, amountFen, state, url360 }) => ({
    date: `${month}/${date}/${year}`,
    time: paidAt ? timeOf(paidAt) : '',
    price: state === 'refunded' ? 0 : amountFen / 100,
    channel: url360 === '' ? 'biying' : '360',
    orderid: `******${id.slice(-SHOWN)}`,
  }))
}

/** A time of day in Asia/Shanghai, as `09:05:00`. */
const timeOf = (at: Date): string => clockOf(at.getTime()).slice(11)

/** The whole number of the order at a place of the day's report. Throws `order.not-found`. */
export async function orderAt(db: Database, day: string, at: number): Promise<string> {
  const order = (await ordersOf(db, day))[at]
  if (!order) throw new AppError('order.not-found', {})
  return order.id
}
