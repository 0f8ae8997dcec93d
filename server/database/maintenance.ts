import { quoted } from './connection.ts'
import type { Reopened } from './reopened.ts'

type Client = Pick<Reopened, 'query' | 'exec'>

const LOOK_EVERY_MS = 30_000
/** A crash replays about this much log at most; dead rows wait for as much to be written. */
const LOG_BYTES = 16 * 1024 ** 2

/** Whether so much log was written since the last checkpoint that it is time for another. */
async function isDue(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ due: boolean }>(
    'select pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn) >= $1 as due from pg_control_checkpoint()',
    [LOG_BYTES],
  )
  return rows[0]?.due === true
}

/** Vacuums our tables, one at a time so that other queries come in between, then writes a checkpoint. */
async function tidy(client: Client): Promise<void> {
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
export function keepInShape(client: Client): () => void {
  const look = async (): Promise<void> => {
    if (await isDue(client)) await tidy(client)
  }
  let looking = Promise.resolve()
  const timer = setInterval(() => {
    looking = looking.then(look).catch(() => {}) // it is closing or has failed, and then every other query says so
  }, LOOK_EVERY_MS)
  timer.unref()
  return () => clearInterval(timer)
}
