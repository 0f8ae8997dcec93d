import { and, eq, gt } from 'drizzle-orm'
import type { z } from 'zod/mini'
import type { Database } from '../database/open.ts'
import { onceTickets } from '../database/schema.ts'
import { hashOf, newToken } from '../secrets.ts'

type Purpose = typeof onceTickets.$inferSelect.purpose

/** A ticket that works once, until then. */
export async function issueOnce(db: Database, purpose: Purpose, data: object, untilMs: number): Promise<string> {
  const ticket = newToken()
  await db.insert(onceTickets).values({ hash: hashOf(ticket), purpose, data, expiresAt: new Date(untilMs) })
  return ticket
}

/** Uses a ticket up; what was noted with it, or undefined when it is used, over or for something else. */
export async function takeOnce<Data extends z.ZodMiniType>(
  db: Database,
  purpose: Purpose,
  data: Data,
  ticket: string,
  now: number,
): Promise<z.output<Data> | undefined> {
  const [row] = await db
    .delete(onceTickets)
    .where(and(eq(onceTickets.hash, hashOf(ticket)), eq(onceTickets.purpose, purpose), gt(onceTickets.expiresAt, new Date(now))))
    .returning()
  return row && data.parse(row.data)
}

/** Gives a ticket not yet used more time. */
export async function delayOnce(db: Database, ticket: string, untilMs: number): Promise<void> {
  await db
    .update(onceTickets)
    .set({ expiresAt: new Date(untilMs) })
    .where(eq(onceTickets.hash, hashOf(ticket)))
}
