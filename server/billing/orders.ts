import { and, desc, eq, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import type { Method } from './providers/provider.ts'
import { nextQuery } from './query-pace.ts'
import { providerOf, type Till } from './till.ts'
import { ownersOf, type Caller } from '../accounts/caller.ts'
import { lockIdentities } from '../accounts/slots.ts'
import type { Database } from '../database/open.ts'
import { invoices, orders, type Order, type OrderState } from '../database/schema-billing.ts'
import { randomText } from '../secrets.ts'
import { DAY_MS, dayOf } from '#shared/china-time'
import { AppError } from '#shared/errors/app-error'
import { isPlanCode, plans } from '#shared/plans'

/** How long a code can be paid: ten minutes less than WeChat's lasts. */
const CODE_MS = 110 * 60_000
/** An order somebody watches is asked for at the provider so often at least. */
const WATCHED_MS = 30_000

/** What a page asks for. */
export interface Wanted {
  readonly method: Method
  /** The page's own number. */
  readonly clientOrderId: string
  readonly plan: string
  readonly bdUrl: string
  readonly url360: string
}

/** The merchant's number: the day and 100 random bits; at most 30 characters, as people type it in to sign in. */
const newOrderId = (now: number): string => dayOf(now).replaceAll('-', '') + randomText(20)

/** Whether money has come in and stays, or goes back because there had been enough: either way what was ordered is theirs. */
export const isPaid = (state: OrderState): boolean => state === 'paid' || state === 'duplicate'

/**
 * The code by which an order is paid; the same order again gives the same. Throws `plan.unknown`, `payment.unavailable`,
 * `payment.code-expired`, `payment.code-failed`, and `request.invalid` where the number stands for another order.
 */
export async function placeOrder(till: Till, { identityId, deviceId }: Caller, wanted: Wanted): Promise<string> {
  const { counts, db, log, now } = till
  const { method, clientOrderId, plan } = wanted
  if (!isPlanCode(plan)) throw new AppError('plan.unknown', {})
  const provider = await providerOf(till, method)
  const createdAt = now()
  const made = await db.transaction(async (tx) => {
    await refuseTooMany(tx, till, identityId, wanted)
    return tx
      .insert(orders)
      .values({
        ...wanted,
        plan,
        id: newOrderId(createdAt),
        identityId,
        deviceId,
        amountFen: plans[plan].amountFen,
        createdAt: new Date(createdAt),
        expiresAt: new Date(createdAt + CODE_MS),
        nextQueryAt: nextQuery(createdAt, createdAt),
      })
      .onConflictDoNothing()
      .returning({ id: orders.id })
  })
  if (made.length > 0) counts.ordersCreated.inc({ method })
  const [order] = await db
    .select()
    .from(orders)
    .where(and(eq(orders.identityId, identityId), eq(orders.clientOrderId, clientOrderId)))
  if (!order || order.method !== method || order.plan !== plan) throw new AppError('request.invalid', {})
  if (order.state === 'closed' || order.expiresAt.getTime() <= createdAt) throw new AppError('payment.code-expired', {})
  if (order.code !== null) return order.code
  const { id, amountFen, expiresAt } = order
  const asked = { id, amountFen, title: `轻图 ${plans[plan].label}`, expiresAt: expiresAt.getTime() }
  const code = await provider.order(asked).catch((cause: unknown) => {
    log.error({ err: cause, method }, 'ordering at the provider failed')
    throw new AppError('payment.code-failed', {}, { cause })
  })
  // Another call with the same number may have been quicker.
  const [kept] = await db
    .update(orders)
    .set({ code: sql`coalesce(${orders.code}, ${code})` })
    .where(eq(orders.id, id))
    .returning({ code: orders.code })
  return kept?.code ?? code
}

/** New orders are counted, not calls, one after the other: the page asks again for those it has. Throws `rate.limited`. */
async function refuseTooMany(
  tx: Database,
  { now, newOrders: [most, seconds] }: Till,
  identityId: string,
  { method, clientOrderId }: Wanted,
) {
  await lockIdentities(tx, identityId)
  const since = new Date(now() - seconds * 1000)
  const isLately = and(eq(orders.identityId, identityId), eq(orders.method, method), gt(orders.createdAt, since))
  const lately = await tx
    .select({ clientOrderId: orders.clientOrderId, createdAt: orders.createdAt })
    .from(orders)
    .where(isLately)
    .orderBy(orders.createdAt)
  const [oldest] = lately
  if (!oldest || lately.length < most || lately.some((order) => order.clientOrderId === clientOrderId)) return
  throw new AppError('rate.limited', { seconds: Math.max(1, Math.ceil((oldest.createdAt.getTime() - since.getTime()) / 1000)) })
}

/** The caller's own order, by the page's number or the merchant's; one made before signing in on this browser is the caller's too. */
export async function ownOrder({ db }: Till, caller: Caller, number: string): Promise<Order | undefined> {
  const [order] = await db
    .select()
    .from(orders)
    .where(and(inArray(orders.identityId, [...ownersOf(caller)]), or(eq(orders.clientOrderId, number), eq(orders.id, number))))
  return order
}

/** Notes that somebody waits for an order to be paid: its provider is asked soon. */
export async function watchOrder({ db, now }: Till, { id, state, nextQueryAt }: Order): Promise<void> {
  const soon = new Date(now() + WATCHED_MS)
  if (state !== 'new' || nextQueryAt === null || nextQueryAt <= soon) return
  await db
    .update(orders)
    .set({ nextQueryAt: soon })
    .where(and(eq(orders.id, id), gt(orders.nextQueryAt, soon)))
}

/** An order nobody paid is forgotten so long after it was made: no bill that is still to be compared can speak of it. */
const FORGOTTEN_DAYS = 90

/** Forgets orders that were closed long ago and never paid. Whatever money was paid for stays. */
export async function forgetUnpaid(db: Database, now: number): Promise<void> {
  const isOld = lt(orders.createdAt, new Date(now - FORGOTTEN_DAYS * DAY_MS))
  await db.delete(orders).where(and(eq(orders.state, 'closed'), isNull(orders.transactionId), isOld))
}

/** The identity's paid orders with what became of their invoices, newest first. */
export const paidOrdersOf = ({ db }: Till, identityId: string) =>
  db
    .select({ orderId: orders.id, plan: orders.plan, amountFen: orders.amountFen, paidAt: orders.paidAt, invoice: invoices.state })
    .from(orders)
    .leftJoin(invoices, eq(invoices.orderId, orders.id))
    .where(and(eq(orders.identityId, identityId), eq(orders.state, 'paid')))
    .orderBy(desc(orders.paidAt))
