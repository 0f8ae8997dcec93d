import { asc, gte } from 'drizzle-orm'
import type { Database } from '../database/open.ts'
import { auditLog } from '../database/schema-operators.ts'

/** Who did what from where; `detail` says of which day, order or invoice. */
export interface Deed {
  readonly operator: string
  readonly action:
    | 'login'
    | 'login-refused'
    | 'logout'
    | 'password'
    | 'password-refused'
    | 'report'
    | 'reveal'
    | 'invoices'
    | 'invoice'
    | 'refund'
    | 'added'
    | 'removed'
    | 'jobs'
    | 'reset'
    | 'forgot'
  readonly detail: Readonly<Record<string, string | number>>
  readonly address: string
}

/** Notes what an operator did. Nothing in this program changes or removes a note, and the table lets nothing do it. */
export async function audit(db: Database, deed: Deed, now: number): Promise<void> {
  await db.insert(auditLog).values({ ...deed, at: new Date(now) })
}

/** The notes since then, in their order. */
export const notesSince = (db: Database, since: Date) => db.select().from(auditLog).where(gte(auditLog.at, since)).orderBy(asc(auditLog.id))
