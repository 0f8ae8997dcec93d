import pg from 'pg'
import { quoted } from './connection.ts'

const RECONNECT_AFTER_MS = 500
/** One who only listens does not notice that nothing can come any more: it asks. */
const ASK_EVERY_MS = 10_000
const ANSWER_MS = 5000

/** One connection for all LISTENs, opened with the first and opened again whenever it is lost. */
export class PostgresListener {
  readonly #url: string
  readonly #hearers = new Map<string, Set<(payload: string) => void>>()
  #client: Promise<pg.Client> | undefined
  #retry: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(url: string) {
    this.#url = url
  }

  async listen(channel: string, hear: (payload: string) => void): Promise<() => Promise<void>> {
    const heard = (payload: string): void => hear(payload) // the same function may be given twice
    const hearers = this.#hearers.get(channel) ?? new Set()
    this.#hearers.set(channel, hearers.add(heard))
    const stop = async (): Promise<void> => {
      if (!hearers.delete(heard) || hearers.size > 0) return
      this.#hearers.delete(channel)
      const client = await this.#client?.catch(() => undefined)
      await client?.query(`UNLISTEN ${quoted(channel)}`).catch(() => {}) // a lost connection listens to nothing anyway
    }
    try {
      const client = await this.#connected()
      await client.query(`LISTEN ${quoted(channel)}`)
    } catch (error) {
      await stop()
      throw error
    }
    return stop
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#retry)
    this.#hearers.clear()
    const client = await this.#client?.catch(() => undefined)
    await client?.end()
  }

  #connected(): Promise<pg.Client> {
    this.#client ??= this.#connect()
    return this.#client
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.#url, connectionTimeoutMillis: 2000, query_timeout: ANSWER_MS, keepAlive: true })
    let isLost = false
    const lose = (): void => {
      if (isLost) return
      isLost = true
      clearInterval(asking)
      this.#client = undefined
      this.#reconnectLater()
    }
    const asking = setInterval(() => client.query('select').catch(() => client.end()), ASK_EVERY_MS)
    client.on('error', lose)
    client.on('end', lose)
    client.on('notification', ({ channel, payload }) => {
      for (const hear of this.#hearers.get(channel) ?? []) hear(payload ?? '')
    })
    try {
      await client.connect()
      for (const channel of this.#hearers.keys()) await client.query(`LISTEN ${quoted(channel)}`)
    } catch (error) {
      lose()
      throw error
    }
    return client
  }

  #reconnectLater(): void {
    clearTimeout(this.#retry)
    if (this.#isClosed || this.#hearers.size === 0) return
    this.#retry = setTimeout(() => void this.#connected().catch(() => {}), RECONNECT_AFTER_MS) // a failure has planned the next try
  }
}
