import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type * as schema from './schema.ts'

/** What both drivers answer to `execute`. */
interface Answer<Row> {
  readonly rows: Row[]
}
interface AnswerOf extends PgQueryResultHKT {
  type: Answer<this['row']>
}

/** The database or a transaction in it, whichever driver is behind. */
export type Database = PgDatabase<AnswerOf, typeof schema>

/** An open database; who opened it closes it. */
export interface DatabaseConnection {
  readonly db: Database
  /**
   * Calls back with each NOTIFY payload of a channel until the returned function is called. Notifications sent while a
   * connection was lost are gone, so a listener also looks by itself now and then. The callback must not throw.
   */
  listen(channel: string, hear: (payload: string) => void): Promise<() => Promise<void>>
  /** How many connections there are, how many of them are idle, and how many callers wait for one; as far as the driver tells. */
  connections(): { readonly open: number; readonly idle?: number; readonly waiting?: number }
  /** Waits for what is under way and closes; a second call waits for the same close. */
  close(): Promise<void>
}

/** The embedded database ended from within (a full or failing disk). Every call throws this until it is open again. */
export class DatabaseStopped extends Error {}

/** The disk of the embedded database has no room to open it; the message is for the person who starts the server. */
export class DiskFull extends Error {}

/** Whether a driver says that a server which is connected has not answered. */
export const isUnanswered = (error: unknown): boolean => error instanceof Error && error.message === 'Query read timeout'

/** A channel as it stands in LISTEN: quoted, so that what is a name for pg_notify is the same name here. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
