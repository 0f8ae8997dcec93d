import { and, eq, sql } from 'drizzle-orm'
import { providerOf, type Till } from './till.ts'
import { announceAccount } from '../accounts/news.ts'
import { lockIdentities } from '../accounts/slots.ts'
import type { Database } from '../database/open.ts'
import { identities } from '../database/schema.ts'
import { grants, orders, refunds, type Order } from '../database/schema-billing.ts'
import { AppError } from '#shared/errors/app-error'

const MINUTE_MS = 60_000
/** After the first failure, the second and so on; then as the last. */
const PAUSES_MS = [MINUTE_MS / 6, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 60 * MINUTE_MS] as const
const BATCH = 10

/** Notes that an order's money is to go back, in the transaction that decides it. */
export async function wantRefund(tx: Database, { id, amountFen }: Order, reason: string, now: number): Promise<void> {
  const at = new Date(now)
  await tx.insert(refunds).values({ id: `${id}r`, orderId: id, amountFen, reason, state: 'wanted', nextTryAt: at, createdAt: at })
}

/**
 * Pays an order back, and takes at once what it gave. Credits already used become a debt below zero, which the next purchase pays first;
 * who has nothing left that was paid for is a guest again. Throws `order.not-found` where there is nothing to pay back.
 */
export async function refundOrder(db: Database, orderId: string, reason: string, now: number): Promise<void> {
  await db.transaction(async (tx) => {
    const [known] = await tx.select({ identityId: orders.identityId }).from(orders).where(eq(orders.id, orderId))
    if (!known) throw new AppError('order.not-found', {})
    const { identityId } = known
    await lockIdentities(tx, identityId)
    const [order] = await tx.select().from(orders).where(eq(orders.id, orderId)).for('update')
    if (order?.state !== 'paid') throw new AppError('order.not-found', {})
    const [given] = await tx
      .select()
      .from(grants)
      .where(and(eq(grants.orderId, orderId), eq(grants.kind, 'purchase')))
    if (!given) throw new Error('a paid order that gave nothing')
    const { id: _id, ...rest } = given
    const back = { kind: 'refund', amountFen: -given.amountFen, credits: -given.credits, at: new Date(now) } as const
    await tx.insert(grants).values({ ...rest, ...back })
    await tx.update(orders).set({ state: 'refunded' }).where(eq(orders.id, orderId))
    await wantRefund(tx, order, reason, now)
    await takeBack(tx, identityId, given.credits)
    await announceAccount(tx, identityId)
  })
}

/** What is left follows from the orders that are still paid. */
async function takeBack(tx: Database, identityId: string, credits: number): Promise<void> {
  const left = await tx
    .select({ isForever: grants.isForever })
    .from(grants)
    .innerJoin(orders, eq(orders.id, grants.orderId))
    .where(and(eq(grants.identityId, identityId), eq(grants.kind, 'purchase'), eq(orders.state, 'paid')))
  await tx
    .update(identities)
    .set({
      credits: sql`${identities.credits} - ${credits}`,
      isForever: left.some(({ isForever }) => isForever),
      ...(left.length === 0 && { memberSince: null }),
    })
    .where(eq(identities.id, identityId))
}

/** Asks the providers to pay back what is due; a refund is asked for until they say that it is done. */
export async function payBackDue(till: Till): Promise<void> {
  const { db, log, now } = till
  const due = await db
    .update(refunds)
    // Whoever took it has a minute; after that it is anybody's again.
    .set({ tries: sql`${refunds.tries} + 1`, nextTryAt: new Date(now() + MINUTE_MS) })
    .where(
      sql`${refunds.id} in (select id from refunds where state = 'wanted' and next_try_at <= ${new Date(now()).toISOString()}
        limit ${BATCH} for update skip locked)`,
    )
    .returning()
  for (const refund of due) {
    const isDone = await payBack(till, refund).catch((error: unknown) => void log.error({ err: error }, 'a refund failed'))
    const pause = PAUSES_MS[Math.min(refund.tries, PAUSES_MS.length) - 1] ?? MINUTE_MS
    await db
      .update(refunds)
      .set(isDone ? { state: 'done', nextTryAt: null } : { nextTryAt: new Date(now() + pause) })
      .where(eq(refunds.id, refund.id))
  }
}

async function payBack(till: Till, { id, orderId, amountFen, reason }: typeof refunds.$inferSelect): Promise<boolean> {
  const [order] = await till.db.select({ method: orders.method }).from(orders).where(eq(orders.id, orderId))
  if (!order) throw new Error('a refund without its order')
  return (await providerOf(till, order.method)).refund({ id, orderId, amountFen, reason })
}
