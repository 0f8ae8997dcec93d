import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import type { DatabaseConnection } from './connection.ts'
import { PostgresListener } from './postgres-listener.ts'
import * as schema from './schema.ts'

/** Any number, the same in every process: who holds it may change tables. */
const MIGRATION_LOCK = 7_140_563

const CONNECT_MS = 2000
/** For one of the pool's connections, while all are at work: longer than for a server, which is there. */
const TURN_MS = 5000

/** A server that does not answer is away sooner than a pool whose connections are all in use. */
class QuickClient extends pg.Client {
  constructor(config: pg.ClientConfig = {}) {
    super({ ...config, connectionTimeoutMillis: CONNECT_MS })
  }
}

/** Migrates on a connection of its own: the wait for another process's migration must not time out. */
async function migrateAlone(connectionString: string, migrationsFolder: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_MS })
  client.on('error', () => {}) // the query under way fails by itself
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await migrate(drizzle(client), { migrationsFolder })
  } finally {
    await client.end() // and with it the lock
  }
}

/** Opens a pool on a PostgreSQL server. Throws when the server can't be reached within 2 s. */
export async function openPostgres(url: string, migrationsFolder: string): Promise<DatabaseConnection> {
  await migrateAlone(url, migrationsFolder)
  const pool = new pg.Pool({
    connectionString: url,
    Client: QuickClient,
    connectionTimeoutMillis: TURN_MS,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 30_000,
    keepAlive: true,
  })
  pool.on('error', () => {}) // an idle connection was lost; the pool has dropped it and the next query opens another
  // One that is lost between two queries of a transaction tells nobody else: its next query fails, and the process must live to see it.
  pool.on('connect', (client) => client.on('error', () => {}))
  const listener = new PostgresListener(url)
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    await listener.close()
    await pool.end()
  }
  return {
    db: drizzle(pool, { schema }),
    listen: (channel, hear) => listener.listen(channel, hear),
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    close: () => (closing ??= close()),
  }
}
