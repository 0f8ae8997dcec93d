import { and, eq, ne, or, sql } from 'drizzle-orm'
import { announceAccount } from './news.ts'
import { lockIdentities } from './slots.ts'
import { release } from '../billing/ledger.ts'
import type { Database } from '../database/open.ts'
import { identities, jobs, sessions, slots, swaps, tickets } from '../database/schema.ts'
import { invoices, orders } from '../database/schema-billing.ts'
import { changing, ended, nextChange } from '../jobs/queue.ts'

/** The identity behind an order, by our number of it or the provider's. */
export async function identityOfOrder(db: Database, number: string): Promise<string | undefined> {
  const [row] = await db
    .select({ identityId: orders.identityId })
    .from(orders)
    .where(or(eq(orders.id, number), eq(orders.transactionId, number)))
  return row?.identityId
}

/**
 * Closes an account for good: nobody signs in to it again, its computers are signed out, its rights end without money back, its jobs are over
 * and their files go at the next sweep. What is kept is what books need: orders, what they gave and the ledger, of nobody who could be named.
 */
export async function forgetMember(db: Database, identityId: string, now: number): Promise<void> {
  await changing(db, async (tx) => {
    await lockIdentities(tx, identityId)
    const over = await tx
      .update(jobs)
      .set({ state: 'expired', outputs: [], note: null, ...ended(now), expiresAt: new Date(now), changed: nextChange })
      .where(and(eq(jobs.identityId, identityId), ne(jobs.state, 'expired')))
      .returning({ id: jobs.id })
    for (const { id } of over) {
      await release(tx, id, now)
      await tx.execute(sql`select pg_notify('stopped', ${id})`)
    }
    await tx.delete(slots).where(eq(slots.identityId, identityId))
    await tx.delete(sessions).where(eq(sessions.identityId, identityId))
    await tx.update(sessions).set({ guestId: null }).where(eq(sessions.guestId, identityId))
    await tx.delete(swaps).where(eq(swaps.identityId, identityId))
    await tx.delete(tickets).where(eq(tickets.identityId, identityId))
    await tx.update(invoices).set({ company: '', taxId: '', email: '' }).where(eq(invoices.identityId, identityId))
    // Who calls has closed them at their providers.
    await tx
      .update(orders)
      .set({ state: 'closed' })
      .where(and(eq(orders.identityId, identityId), eq(orders.state, 'new')))
    // That one came by an advertisement is told by there being an address.
    const visits = { bdUrl: sql`left(${orders.bdUrl}, 1)`, url360: sql`left(${orders.url360}, 1)` }
    await tx.update(orders).set(visits).where(eq(orders.identityId, identityId))
    await tx
      .update(identities)
      .set({
        accountIndex: `forgotten ${identityId}`,
        accountCipher: '',
        username: '已注销',
        avatar: '',
        wechatIndex: null,
        memberSince: null,
        isForever: false,
        credits: 0,
      })
      .where(eq(identities.id, identityId))
    await announceAccount(tx, identityId)
  })
}
