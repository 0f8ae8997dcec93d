import { lte, sql } from 'drizzle-orm'
import type { Database } from './database/open.ts'
import { chores } from './database/schema.ts'

/** A timer may be a little early. */
const SLACK = 0.9

/** Whether a chore is due that nobody has begun in so long; whoever is told so has begun it. Of several servers one does it each time. */
export async function begins(db: Database, name: 'sweep' | 'reconcile', everyMs: number): Promise<boolean> {
  const rows = await db
    .insert(chores)
    .values({ name, begunAt: sql`now()` })
    .onConflictDoUpdate({
      target: chores.name,
      set: { begunAt: sql`now()` },
      setWhere: lte(chores.begunAt, sql`now() - ${everyMs * SLACK} * interval '1 millisecond'`),
    })
    .returning()
  return rows.length > 0
}
