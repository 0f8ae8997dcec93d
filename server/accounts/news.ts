import { sql } from 'drizzle-orm'
import type { Database } from '../database/open.ts'

/** Tells every page of an identity, on every server, that something of its account changed: rights, credits, computers. */
export async function announceAccount(tx: Database, identityId: string): Promise<void> {
  await tx.execute(sql`select pg_notify('accounts', ${identityId})`)
}
