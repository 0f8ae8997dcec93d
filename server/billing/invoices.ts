import { and, desc, eq } from 'drizzle-orm'
import type { z } from 'zod/mini'
import type { Database } from '../database/open.ts'
import { invoices, orders } from '../database/schema-billing.ts'
import { randomText } from '../secrets.ts'
import type { invoiceView } from '#shared/api/operators'
import { AppError } from '#shared/errors/app-error'
import { invoiceFault, tidyInvoice, type InvoiceDraft } from '#shared/invoices'

/** Operators are shown so many. */
const SHOWN = 1000

/**
 * Asks for an invoice of an order, once; one that was rejected may be asked for again. Throws `order.not-found` for an order that
 * is another's or not paid, `options.invalid` and `invoice.exists`.
 */
export async function askForInvoice(db: Database, identityId: string, orderId: string, given: InvoiceDraft, now: number): Promise<void> {
  const draft = tidyInvoice(given)
  const label = invoiceFault(draft)
  if (label !== undefined) throw new AppError('options.invalid', { label })
  const [order] = await db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.id, orderId), eq(orders.identityId, identityId), eq(orders.state, 'paid')))
  if (!order) throw new AppError('order.not-found', {})
  const asked = { ...draft, state: 'submitted' as const, askedAt: new Date(now) }
  const rows = await db
    .insert(invoices)
    .values({ id: randomText(20), orderId, identityId, ...asked })
    .onConflictDoUpdate({ target: invoices.orderId, set: asked, setWhere: eq(invoices.state, 'rejected') })
    .returning({ id: invoices.id })
  if (rows.length === 0) throw new AppError('invoice.exists', {})
}

/** The invoices asked for, newest first. */
export async function invoicesAskedFor(db: Database): Promise<z.output<typeof invoiceView>[]> {
  const rows = await db
    .select()
    .from(invoices)
    .innerJoin(orders, eq(orders.id, invoices.orderId))
    .orderBy(desc(invoices.askedAt))
    .limit(SHOWN)
  return rows.map(({ invoices: { identityId: _identityId, askedAt, ...rest }, orders: { amountFen } }) => ({
    ...rest,
    amount: amountFen / 100,
    askedAt: askedAt.toISOString(),
  }))
}

/** Says what became of an invoice. Throws `address.unknown` where there is none of this id. */
export async function settleInvoice(db: Database, id: string, state: 'issued' | 'rejected'): Promise<void> {
  const rows = await db.update(invoices).set({ state }).where(eq(invoices.id, id)).returning({ id: invoices.id })
  if (rows.length === 0) throw new AppError('address.unknown', {})
}
