import { and, eq } from 'drizzle-orm'
import type { Database } from '../database/open.ts'
import { ledger } from '../database/schema-billing.ts'
import type { Cost } from '#shared/tools/define'

/** One job's part in the ledger. */
interface Charge {
  readonly jobId: string
  readonly identityId: string
  readonly cost: Cost
}

/**
 * Sets a job's cost aside, in the transaction that accepts the job. The ledger allows every job so far; it throws
 * `quota.used-up` once memberships count.
 */
export async function reserve(db: Database, charges: readonly Charge[]): Promise<void> {
  if (charges.length === 0) return
  await db.insert(ledger).values(charges.map((charge) => ({ ...charge, state: 'reserved' as const })))
}

/** Settles a reserved job: `committed` takes the cost, `released` gives it back. A settled job stays as it is. */
async function settle(db: Database, jobId: string, state: 'committed' | 'released'): Promise<void> {
  await db
    .update(ledger)
    .set({ state, settledAt: new Date() })
    .where(and(eq(ledger.jobId, jobId), eq(ledger.state, 'reserved')))
}

/** Takes a job's cost, in the transaction that ends it well. */
export const commit = (db: Database, jobId: string): Promise<void> => settle(db, jobId, 'committed')

/** Gives a job's cost back, in the transaction that ends it otherwise. */
export const release = (db: Database, jobId: string): Promise<void> => settle(db, jobId, 'released')
