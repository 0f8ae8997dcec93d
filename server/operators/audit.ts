import type { Database } from '../database/open.ts'
import { auditLog } from '../database/schema-operators.ts'

/** Who did what from where; `detail` says of which day, order or invoice. */
export interface Deed {
  readonly operator: string
  readonly action:
    'login' | 'login-refused' | 'logout' | 'report' | 'reveal' | 'invoices' | 'invoice' | 'refund' | 'added' | 'removed' | 'reset'
  readonly detail: Readonly<Record<string, string | number>>
  readonly address: string
}

/** Notes what an operator did. Nothing in this program changes or removes a note. */
export async function audit(db: Database, deed: Deed, now: number): Promise<void> {
  await db.insert(auditLog).values({ ...deed, at: new Date(now) })
}
