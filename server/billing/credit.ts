import { and, eq, ne, sql } from 'drizzle-orm'
import type { Payment } from './providers/provider.ts'
import { wantRefund } from './refunds.ts'
import type { Till } from './till.ts'
import { announceAccount } from '../accounts/news.ts'
import { seatComputers } from '../accounts/slots.ts'
import { recordPurchase } from '../attribution/conversions.ts'
import type { Database } from '../database/open.ts'
import { identities } from '../database/schema.ts'
import { grants, orders, type Order } from '../database/schema-billing.ts'
import { raiseRank } from '../jobs/queue.ts'
import { AppError } from '#shared/errors/app-error'
import { plans, type Plan } from '#shared/plans'

/** What became of a payment: it counts now, had counted before, or goes back because another had paid for the same already. */
export type Credited = 'credited' | 'known' | 'duplicate'

/**
 * Lets a payment count, once whatever happens and however often it is told: the order is paid and its rights are given in one
 * transaction. Money decides: a closed order counts too. Throws `payment.notice-refused` where the payment is not what was ordered.
 */
export async function creditPayment(db: Database, payment: Payment, now: number): Promise<Credited> {
  return db.transaction(async (tx) => {
    const [known] = await tx.select({ identityId: orders.identityId }).from(orders).where(eq(orders.id, payment.orderId))
    if (!known) throw refused(payment, 'an unknown order')
    // The person first and then the order, always: two payments of one person wait for each other instead of for ever.
    const [person] = await tx.select().from(identities).where(eq(identities.id, known.identityId)).for('no key update')
    const [order] = await tx.select().from(orders).where(eq(orders.id, payment.orderId)).for('update')
    if (!person || !order) throw refused(payment, 'an unknown order')
    if (order.method !== payment.method || order.amountFen !== payment.amountFen) throw refused(payment, 'another amount')
    if (order.transactionId === payment.transactionId) return 'known'
    if (order.transactionId !== null) throw refused(payment, 'paid by another transaction already')
    const plan: Plan = plans[order.plan]
    const isDuplicate = 'isForever' in plan.gives && person.isForever
    await tx
      .update(orders)
      .set({
        state: isDuplicate ? 'duplicate' : 'paid',
        transactionId: payment.transactionId,
        paidAt: new Date(payment.paidAt),
        nextQueryAt: null,
      })
      .where(eq(orders.id, order.id))
    if (isDuplicate) await wantRefund(tx, order, '重复支付', now)
    else await give(tx, order, plan, now)
    await endSiblings(tx, order, now)
    await announceAccount(tx, order.identityId)
    return isDuplicate ? 'duplicate' : 'credited'
  })
}

/** Lets a payment count, and notes what became of it. */
export async function receivePayment({ counts, db, log, now }: Till, payment: Payment): Promise<Credited> {
  const became = await creditPayment(db, payment, now())
  if (became !== 'known') counts.payments.inc({ method: payment.method, became })
  if (became === 'duplicate') log.warn({ method: payment.method }, 'paid twice: the second payment goes back')
  if (became === 'credited') {
    log.info({ method: payment.method, amountFen: payment.amountFen }, 'a payment counts')
    // Apart from the payment, which is to wait for no queue; should it fail, those jobs go as guests' do.
    await raiseRank(db, payment.orderId).catch((error: unknown) => log.warn({ err: error }, 'raising the rank of jobs failed'))
  }
  return became
}

const refused = ({ orderId }: Payment, reason: string): AppError<'payment.notice-refused'> =>
  // The number signs its payer in: the log gets the end of it.
  new AppError('payment.notice-refused', {}, { cause: new Error(`${reason}: …${orderId.slice(-6)}`) })

async function give(tx: Database, order: Order, { gives }: Plan, now: number): Promise<void> {
  const { id, identityId, amountFen } = order
  const isForever = 'isForever' in gives
  const credits = isForever ? 0 : gives.credits
  await tx.insert(grants).values({ orderId: id, identityId, kind: 'purchase', amountFen, credits, isForever, at: new Date(now) })
  await tx
    .update(identities)
    .set({
      credits: sql`${identities.credits} + ${credits}`,
      isForever: sql`${identities.isForever} or ${isForever}`,
      memberSince: sql`coalesce(${identities.memberSince}, ${new Date(now)})`,
    })
    .where(eq(identities.id, identityId))
  await seatComputers(tx, order, now)
  await recordPurchase(tx, order, now)
}

/** Other codes for the same thing, on the screen or in a pocket, are not to be paid any more: they run out now, and are then closed. */
async function endSiblings(tx: Database, { id, identityId, plan }: Order, now: number): Promise<void> {
  const at = new Date(now)
  await tx
    .update(orders)
    .set({ expiresAt: at, nextQueryAt: at })
    .where(and(eq(orders.identityId, identityId), eq(orders.plan, plan), eq(orders.state, 'new'), ne(orders.id, id)))
}
