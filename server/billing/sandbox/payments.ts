import { randomInt } from 'node:crypto'
import { and, eq, gte, gt, lt, or, sql } from 'drizzle-orm'
import type { Method } from '../providers/provider.ts'
import type { Database } from '#server/database/open'
import { sandboxPayments } from '#server/database/schema-billing'
import { randomText } from '#server/secrets'
import { boundsOf, dayOf } from '#shared/china-time'

/** A payment as the gateway keeps it. */
export type SandboxPayment = typeof sandboxPayments.$inferSelect

/** What the merchant asks the gateway to take money for. */
export interface Asked {
  readonly method: Method
  readonly orderId: string
  readonly title: string
  readonly amountFen: number
  readonly notifyUrl: string
  readonly expiresAt: number
}

/** The payment of an order, made when it is first asked for. Undefined when the order stands there with another amount. */
export async function openPayment(db: Database, { expiresAt, ...asked }: Asked, now: number): Promise<SandboxPayment | undefined> {
  const row = { ...asked, token: randomText(32), createdAt: new Date(now), expiresAt: new Date(expiresAt) }
  await db.insert(sandboxPayments).values(row).onConflictDoNothing()
  const payment = await findPayment(db, asked.method, asked.orderId)
  return payment?.amountFen === asked.amountFen ? payment : undefined
}

/** The payment of an order. */
export async function findPayment(db: Database, method: Method, orderId: string): Promise<SandboxPayment | undefined> {
  const [row] = await db
    .select()
    .from(sandboxPayments)
    .where(and(eq(sandboxPayments.method, method), eq(sandboxPayments.orderId, orderId)))
  return row
}

/** The payment a page's address names. */
export async function paymentByToken(db: Database, token: string): Promise<SandboxPayment | undefined> {
  const [row] = await db.select().from(sandboxPayments).where(eq(sandboxPayments.token, token))
  return row
}

/** Whether it can still be paid. */
export const isPayable = ({ state, expiresAt }: SandboxPayment, now: number): boolean => state === 'new' && expiresAt.getTime() > now

/** The payer has pressed the button: it is paid, once, and the merchant is to hear of it. */
export async function pay(db: Database, token: string, now: number): Promise<void> {
  const digits = Array.from({ length: 20 }, () => randomInt(10)).join('')
  const at = new Date(now)
  await db
    .update(sandboxPayments)
    .set({ state: 'paid', transactionId: dayOf(now).replaceAll('-', '') + digits, paidAt: at, nextNoticeAt: at })
    .where(and(eq(sandboxPayments.token, token), eq(sandboxPayments.state, 'new'), gt(sandboxPayments.expiresAt, at)))
}

/** Whether it is closed now; what was paid can't be. */
export async function closePayment(db: Database, method: Method, orderId: string): Promise<boolean> {
  const rows = await db
    .update(sandboxPayments)
    .set({ state: 'closed' })
    .where(
      and(
        eq(sandboxPayments.method, method),
        eq(sandboxPayments.orderId, orderId),
        or(eq(sandboxPayments.state, 'new'), eq(sandboxPayments.state, 'closed')),
      ),
    )
    .returning({ orderId: sandboxPayments.orderId })
  return rows.length > 0
}

/** Pays back the whole; what it moved now, or undefined where nothing was paid or the amount is another. */
export async function refundPayment(
  db: Database,
  method: Method,
  orderId: string,
  amountFen: number,
): Promise<{ moved: boolean } | undefined> {
  const payment = await findPayment(db, method, orderId)
  if (!payment?.paidAt || payment.amountFen !== amountFen) return undefined
  const rows = await db
    .update(sandboxPayments)
    .set({ state: 'refunded', refundedFen: amountFen })
    .where(and(eq(sandboxPayments.method, method), eq(sandboxPayments.orderId, orderId), eq(sandboxPayments.state, 'paid')))
    .returning({ orderId: sandboxPayments.orderId })
  return { moved: rows.length > 0 }
}

/** What was paid on a day. */
export async function paidOn(db: Database, method: Method, day: string): Promise<readonly SandboxPayment[]> {
  const { from, to } = boundsOf(day)
  return db
    .select()
    .from(sandboxPayments)
    .where(and(eq(sandboxPayments.method, method), gte(sandboxPayments.paidAt, from), lt(sandboxPayments.paidAt, to)))
}

/** Takes payments whose merchant is to be told now, and says when each is told again unless it has heard. */
export async function takeNotices(db: Database, again: number, now: number): Promise<readonly SandboxPayment[]> {
  return db
    .update(sandboxPayments)
    .set({ notices: sql`${sandboxPayments.notices} + 1`, nextNoticeAt: new Date(again) })
    .where(
      sql`(${sandboxPayments.method}, ${sandboxPayments.orderId}) in (
        select method, order_id from sandbox_payments where next_notice_at <= ${new Date(now).toISOString()} limit 20 for update skip locked)`,
    )
    .returning()
}

/** The merchant has heard, or will not be told any more. */
export async function endNotices(db: Database, { method, orderId }: SandboxPayment): Promise<void> {
  await db
    .update(sandboxPayments)
    .set({ nextNoticeAt: null })
    .where(and(eq(sandboxPayments.method, method), eq(sandboxPayments.orderId, orderId)))
}
