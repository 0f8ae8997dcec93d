import { and, eq, isNull, sql } from 'drizzle-orm'
import { receivePayment } from './credit.ts'
import { nextLook, nextQuery } from './query-pace.ts'
import { providerOf, type Till } from './till.ts'
import { orders, type Order } from '../database/schema-billing.ts'

/** Whoever took an order to ask for it has so long; should he die, it is asked for again. */
const LEASE_MS = 30_000
const BATCH = 20

/** Asks the providers about orders whose turn it is, and closes those whose time is over. A notice may have been lost. */
export async function followDue(till: Till): Promise<void> {
  const { db, log, now } = till
  const due = await db
    .update(orders)
    .set({ queries: sql`${orders.queries} + 1`, nextQueryAt: new Date(now() + LEASE_MS) })
    .where(
      sql`${orders.id} in (select id from orders where next_query_at <= ${new Date(now()).toISOString()}
        order by next_query_at limit ${BATCH} for update skip locked)`,
    )
    .returning()
  await Promise.all(
    due.map((order) => follow(till, order).catch((error: unknown) => log.warn({ err: error }, 'asking for an order failed'))),
  )
}

async function follow(till: Till, order: Order): Promise<void> {
  const { db, now } = till
  if (await settle(till, order)) return
  const [id, createdAt] = [eq(orders.id, order.id), order.createdAt.getTime()]
  const isOver = order.expiresAt.getTime() <= now()
  if (isOver && order.state === 'new') await close(till, order)
  await db
    .update(orders)
    .set({ nextQueryAt: isOver ? nextLook(createdAt, now()) : nextQuery(createdAt, now()) })
    .where(and(id, isNull(orders.transactionId)))
}

/** Closes an order nobody has paid, at its provider first. */
async function close(till: Pick<Till, 'db' | 'providers'>, { id, method }: Order): Promise<void> {
  await (await providerOf(till, method)).close(id)
  await till.db
    .update(orders)
    .set({ state: 'closed' })
    .where(and(eq(orders.id, id), eq(orders.state, 'new')))
}

/**
 * Closes what somebody ordered and has not paid, so that no money comes in for it any more. False where some has come in meanwhile, which
 * counts: then nothing else is closed.
 */
export async function closeUnpaid(till: Till, identityId: string): Promise<boolean> {
  const open = await till.db
    .select()
    .from(orders)
    .where(and(eq(orders.identityId, identityId), eq(orders.state, 'new')))
  for (const order of open) {
    if (await settle(till, order)) return false
    await close(till, order)
  }
  return true
}

/** Asks the provider whether an order is paid, and lets it count where it is. */
export async function settle(till: Till, order: Order): Promise<boolean> {
  if (order.transactionId !== null) return true
  const standing = await (await providerOf(till, order.method)).query(order.id)
  if (standing.state !== 'paid') return false
  await receivePayment(till, standing.payment)
  return true
}
