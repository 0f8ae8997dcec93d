import type { PGlite } from '@electric-sql/pglite'
import { quoted } from './connection.ts'
import type { DurableFiles } from './durable.ts'

const LOOK_EVERY_MS = 30_000
/** A crash replays at most about this much log; also how much is written between two vacuums. */
const LOG_BYTES = 16 * 1024 ** 2

/** Vacuums every table of ours, one at a time so that other queries come in between, then writes a checkpoint. */
export async function tidy(client: PGlite): Promise<void> {
  const { rows } = await client.query<{ schemaname: string; tablename: string }>(
    `select schemaname, tablename from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  for (const { schemaname, tablename } of rows) await client.exec(`vacuum (analyze) ${quoted(schemaname)}.${quoted(tablename)}`)
  await client.exec('checkpoint')
}

/**
 * Does what PostgreSQL's background processes would: PGlite has none, so its log would grow for ever (measured: 250 MB
 * with max_wal_size = 64 MB) and dead rows stay. Returns what ends it.
 */
export function keepInShape(client: PGlite, files: Pick<DurableFiles, 'walBytes'>): () => void {
  const timer = setInterval(() => {
    if (files.walBytes < LOG_BYTES) return
    files.walBytes = 0
    tidy(client).catch(() => {}) // closing, or a disk in trouble: then every other query says so
  }, LOOK_EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}
