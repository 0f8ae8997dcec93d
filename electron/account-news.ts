import type { ServerSession } from './server-session.ts'

/** After which change of jobs to begin: none of the server's jobs is the client's. */
const NO_JOBS = '?after=2147483647'
const FIRST_PAUSE_MS = 2000
const LONGEST_PAUSE_MS = 60_000

/** Hears from the server that something of the account changed, until it is closed. Where the server is away it is tried again and again. */
export class AccountNews {
  readonly #session: Pick<ServerSession, 'fetch'>
  readonly #tell: () => void
  #stream = new AbortController()
  #isClosed = false
  #wake = (): void => {}

  constructor(session: Pick<ServerSession, 'fetch'>, tell: () => void) {
    this.#session = session
    this.#tell = tell
    void this.#follow()
  }

  /** The session is another one: its news come by another stream. */
  renew(): void {
    this.#stream.abort()
    this.#wake()
  }

  close(): void {
    this.#isClosed = true
    this.renew()
  }

  async #follow(): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; !this.#isClosed; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      this.#stream = new AbortController()
      if (await this.#read(this.#stream.signal)) pauseMs = FIRST_PAUSE_MS
      if (!this.#isClosed) await this.#pause(pauseMs)
    }
  }

  /** Reads a stream to its end; whether there was one. */
  async #read(signal: AbortSignal): Promise<boolean> {
    try {
      const headers = { accept: 'text/event-stream' }
      const { ok, body } = await this.#session.fetch({ method: 'GET', path: '/api/jobs/events', search: NO_JOBS, headers, signal })
      if (!ok || !body) {
        await body?.cancel()
        return false
      }
      // A stream begun anew has missed what was told meanwhile.
      this.#tell()
      const decoder = new TextDecoder()
      let rest = ''
      for await (const bytes of body) {
        const events = (rest + decoder.decode(bytes, { stream: true })).split('\n\n')
        rest = events.pop() ?? ''
        if (events.some((event) => /^event: account$/m.test(event))) this.#tell()
      }
      return true
    } catch {
      return false
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
