import { hostname } from 'node:os'
import { eq, lte, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { Lane } from './queue.ts'
import type { Database } from '../database/open.ts'
import { workers } from '../database/schema.ts'
import { repeat } from '../repeat.ts'
import { randomText } from '../secrets.ts'

const BEAT_EVERY_MS = 10_000
/** As long as a lease: its jobs are taken up by others by then. */
const ALIVE = sql`interval '30 seconds'`
/** One that has not beaten for so long is shown no more. */
const REMEMBERED = sql`interval '1 day'`

/** A process that takes jobs, as the others know it. */
export type WorkerRow = typeof workers.$inferSelect & { readonly isAlive: boolean }

interface Beating {
  readonly db: Database
  readonly log: Logger
  readonly sizes: Readonly<Record<Lane, number>>
}

/** Tells all processes that this one takes jobs, as long as its event loop turns; the returned function says that it has stopped. */
export function startBeating({ db, log, sizes }: Beating): () => Promise<void> {
  const id = randomText(12)
  const self = { id, host: hostname(), pid: process.pid, sizes, beatAt: sql`now()` }
  const beat = async (): Promise<void> => {
    await db
      .insert(workers)
      .values(self)
      .onConflictDoUpdate({ target: workers.id, set: { beatAt: sql`now()` } })
  }
  const end = repeat(BEAT_EVERY_MS, beat, { log })
  return async () => {
    await end()
    // Without the database its silence says it.
    await db
      .delete(workers)
      .where(eq(workers.id, id))
      .catch(() => {})
  }
}

/** All workers of the last day, and which of them live, by the database's clock. */
export const listWorkers = (db: Database): Promise<WorkerRow[]> =>
  db
    .select({
      id: workers.id,
      host: workers.host,
      pid: workers.pid,
      sizes: workers.sizes,
      startedAt: workers.startedAt,
      beatAt: workers.beatAt,
      isAlive: sql<boolean>`${workers.beatAt} > now() - ${ALIVE}`,
    })
    .from(workers)
    .orderBy(workers.host, workers.startedAt)

/** Forgets workers that ended long ago without a word. */
export async function forgetWorkers(db: Database): Promise<void> {
  await db.delete(workers).where(lte(workers.beatAt, sql`now() - ${REMEMBERED}`))
}
