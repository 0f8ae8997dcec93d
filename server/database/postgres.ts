import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { isUnanswered, type DatabaseConnection } from './connection.ts'
import { PostgresListener } from './postgres-listener.ts'
import * as schema from './schema.ts'

/** Any number, the same in every process: who holds it may change tables. */
const MIGRATION_LOCK = 7_140_563

const CONNECT_MS = 2000
/** For one of the pool's connections, while all are at work: longer than for a server, which is there. */
const TURN_MS = 5000

/** What somebody waits for. A server ends what takes longer, and a transaction whose process has stopped in the middle: before those who wait for its locks give up. */
const usualLimits = { idle_in_transaction_session_timeout: 4000, lock_timeout: 5000, statement_timeout: 6000 }
/** By then a server would have said that it took too long: one that says nothing is not heard, or does not hear. */
const ANSWER_MS = 7500
/** The system's own wait before it asks a silent other side whether it is there is two hours. */
const alive = { keepAlive: true, keepAliveInitialDelayMillis: 5000 }

/** A server that does not answer is away sooner than a pool whose connections are all in use. */
class QuickClient extends pg.Client {
  constructor(config: pg.ClientConfig = {}) {
    super({ ...config, connectionTimeoutMillis: CONNECT_MS })
    endUnanswered(this)
  }
}

/** The driver gives up what is not answered, but goes on with the connection, on which the next question would wait for that answer. */
function endUnanswered(client: pg.Client): void {
  const { query } = client
  const ask = (...given: unknown[]): unknown => {
    const answer: unknown = Reflect.apply(query, client, given)
    if (answer instanceof Promise) {
      answer.catch((error: unknown) => {
        if (isUnanswered(error)) void client.end()
      })
    }
    return answer
  }
  Object.assign(client, { query: ask })
}

/** The query builder never gives back a connection on which a transaction could not even begin: for ever there would be one less. */
function takeBackLost(pool: pg.Pool): void {
  const lent = new Set<pg.PoolClient>()
  pool.on('acquire', (client) => lent.add(client))
  pool.on('release', (_error, client) => lent.delete(client))
  pool.on('connect', (client) => {
    // One that is lost between two queries of a transaction tells nobody else: its next query fails, and the process must live to see it.
    client.on('error', () => {})
    client.on('end', () => {
      if (!lent.has(client)) return
      client.release(true)
      client.release = () => {} // whoever has it may still give it back
    })
  })
}

/** Migrates on a connection of its own: the wait for another process's migration must not time out. */
async function migrateAlone(connectionString: string, migrationsFolder: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_MS, ...alive })
  client.on('error', () => {}) // the query under way fails by itself
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await migrate(drizzle(client), { migrationsFolder })
  } finally {
    await client.end() // and with it the lock
  }
}

/** Opens a pool on a PostgreSQL server; an unhurried one lets everything take its time. Throws when the server can't be reached within 2 s. */
export async function openPostgres(url: string, migrationsFolder: string, isUnhurried = false): Promise<DatabaseConnection> {
  await migrateAlone(url, migrationsFolder)
  const pool = new pg.Pool({
    connectionString: url,
    Client: QuickClient,
    connectionTimeoutMillis: TURN_MS,
    ...alive,
    ...(!isUnhurried && { ...usualLimits, query_timeout: ANSWER_MS }),
  })
  pool.on('error', () => {}) // an idle connection was lost; the pool has dropped it and the next query opens another
  takeBackLost(pool)
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
