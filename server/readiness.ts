import { sql } from 'drizzle-orm'
import type { Database } from './database/open.ts'
import { inTime } from './in-time.ts'
import { hasRoom } from './storage/local/disk.ts'

/** Whoever asks waits two seconds at most, however long a part takes. */
const PATIENCE_MS = 1_500
/** Strangers may ask as often as they like: the parts are not asked more often than this. */
const FRESH_MS = 1_000

/** What this process needs to do its work, by name. */
export type ReadinessPart = 'database' | 'storage' | 'room' | 'queue' | 'children'

interface Asked {
  readonly at: number
  readonly answer: Promise<boolean>
}

/** Whether a process can do its work now: asked of each part it needs, not assumed. */
export class Readiness {
  readonly #checks = new Map<ReadinessPart, () => Promise<unknown>>()
  readonly #asked = new Map<ReadinessPart, Asked>()
  #isDraining = false

  /** Adds what rejects while the part can't do its own. */
  need(part: ReadinessPart, check: () => Promise<unknown>): void {
    this.#checks.set(part, check)
  }

  get isDraining(): boolean {
    return this.#isDraining
  }

  /** From now on it is not ready: whoever sends requests here sends them elsewhere. */
  drain(): void {
    this.#isDraining = true
  }

  /** What fails now, or does not answer in time; nothing where all is well. */
  async failing(): Promise<readonly (ReadinessPart | 'draining')[]> {
    if (this.#isDraining) return ['draining']
    const parts = [...this.#checks.keys()]
    const answers = await Promise.all(parts.map((part) => inTime(this.#ask(part), PATIENCE_MS).catch(() => false)))
    return parts.filter((_part, n) => !answers[n])
  }

  /** One question at a time: a part that hangs is not asked again meanwhile. */
  #ask(part: ReadinessPart): Promise<boolean> {
    const known = this.#asked.get(part)
    if (known && performance.now() - known.at < FRESH_MS) return known.answer
    const check = this.#checks.get(part)
    const answer = Promise.resolve(check?.()).then(
      () => true,
      () => false,
    )
    const asked = { at: Infinity, answer }
    this.#asked.set(part, asked)
    void answer.then(() => (asked.at = performance.now()))
    return answer
  }
}

/** Rejects unless the database writes, down to its log on the disk: a standby or one that was made read-only answers reads all the same. */
export async function requireWritable(db: Database): Promise<void> {
  const { rows } = await db.execute<{ readonly: string }>(
    sql`select current_setting('transaction_read_only') as readonly, pg_logical_emit_message(true, 'qingtu', 'ready')`,
  )
  if (rows[0]?.readonly !== 'off') throw new Error('the database is read-only')
}

/** Rejects where a folder's disk has no room for more uploads. */
export async function requireRoom(folder: string, freeShare?: number): Promise<void> {
  if (!(await hasRoom(folder, freeShare))) throw new Error('the disk is full')
}
