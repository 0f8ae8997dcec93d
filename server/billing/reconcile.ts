import { and, eq, gte, inArray, isNotNull, lt } from 'drizzle-orm'
import { receivePayment } from './credit.ts'
import type { BillLine, Method, PaymentProvider } from './providers/provider.ts'
import type { Till } from './till.ts'
import { orders, reconciliations, refunds } from '../database/schema-billing.ts'
import { boundsOf, dayOf, daysBefore } from '#shared/china-time'
import { AppError } from '#shared/errors/app-error'

/** Both providers have a day's bill by ten the next morning. */
const BILL_HOUR_MS = 10 * 3_600_000
/** A server that was away compares so many days. */
const DAYS = 3

/** What a bill and the orders disagree about. */
export interface Difference {
  readonly what:
    'was missing and counts now' | 'is not what was ordered' | 'was paid back elsewhere' | 'refund unknown here' | 'not in the bill'
  readonly orderId: string
  readonly transactionId: string
  readonly amountFen: number
}

/** Compares the bills of the last days, as far as they are there and were not compared yet. */
export async function reconcileDue(till: Till): Promise<void> {
  const today = dayOf(till.now())
  const isTooEarly = till.now() < boundsOf(today).from.getTime() + BILL_HOUR_MS
  const days = Array.from({ length: DAYS }, (_, n) => daysBefore(today, n + 1)).slice(isTooEarly ? 1 : 0)
  for (const method of ['alipay', 'wechat'] as const) {
    const open = await openDays(till, method, days)
    const provider = open.length > 0 ? (await till.providers()).get(method) : undefined
    for (const day of provider ? open : []) if (provider) await reconcile(till, provider, day)
  }
}

/** Of some days those that are to be compared: orders were made by then, and nobody has done it. */
async function openDays({ db }: Till, method: Method, days: readonly string[]): Promise<readonly string[]> {
  const [first] = await db.select({ at: orders.createdAt }).from(orders).where(eq(orders.method, method)).orderBy(orders.createdAt).limit(1)
  if (!first) return []
  const done = await db
    .select({ day: reconciliations.day })
    .from(reconciliations)
    .where(and(eq(reconciliations.method, method), inArray(reconciliations.day, [...days])))
  return days.filter((day) => day >= dayOf(first.at.getTime()) && !done.some((row) => row.day === day))
}

/** Compares one day's bill with the orders: money that came in counts, whatever got lost on its way; what else differs is noted. */
export async function reconcile(till: Till, provider: PaymentProvider, day: string): Promise<readonly Difference[]> {
  const { db, log, now } = till
  const { method } = provider
  const lines = await provider.bill(day)
  const differences: Difference[] = []
  for (const line of lines) {
    const what = line.kind === 'payment' ? await checkPayment(till, method, line, lines) : await checkRefund(till, line)
    const { orderId, transactionId, amountFen } = line
    if (what) differences.push({ what, orderId, transactionId, amountFen })
  }
  differences.push(...(await missing(till, method, day, lines)))
  await db
    .insert(reconciliations)
    .values({ method, day, differences, checkedAt: new Date(now()) })
    .onConflictDoNothing()
  if (differences.length > 0) log.error({ method, day, differences: differences.length }, 'a bill differs from the orders')
  return differences
}

async function checkPayment(
  till: Till,
  method: Method,
  { orderId, transactionId, amountFen, at }: BillLine,
  lines: readonly BillLine[],
): Promise<Difference['what'] | undefined> {
  const [order] = await till.db.select({ transactionId: orders.transactionId }).from(orders).where(eq(orders.id, orderId))
  if (order?.transactionId === transactionId) return undefined
  if (lines.some((line) => line.kind === 'refund' && line.orderId === orderId)) return 'was paid back elsewhere'
  try {
    await receivePayment(till, { method, orderId, transactionId, amountFen, paidAt: at })
    return 'was missing and counts now'
  } catch (error) {
    if (error instanceof AppError) return 'is not what was ordered'
    throw error
  }
}

async function checkRefund({ db }: Till, { orderId, amountFen }: BillLine): Promise<Difference['what'] | undefined> {
  const rows = await db
    .select({ id: refunds.id })
    .from(refunds)
    .where(and(eq(refunds.orderId, orderId), eq(refunds.amountFen, amountFen)))
  return rows.length > 0 ? undefined : 'refund unknown here'
}

/** Orders that are paid here and not in the bill of the day. */
async function missing({ db }: Till, method: Method, day: string, lines: readonly BillLine[]): Promise<readonly Difference[]> {
  const { from, to } = boundsOf(day)
  const paid = await db
    .select({ orderId: orders.id, transactionId: orders.transactionId, amountFen: orders.amountFen })
    .from(orders)
    .where(and(eq(orders.method, method), isNotNull(orders.transactionId), gte(orders.paidAt, from), lt(orders.paidAt, to)))
  const billed = new Set(lines.map(({ transactionId }) => transactionId))
  return paid.flatMap((order) => {
    const { transactionId } = order
    return transactionId === null || billed.has(transactionId) ? [] : [{ ...order, transactionId, what: 'not in the bill' as const }]
  })
}
