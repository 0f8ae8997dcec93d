import { Journal } from './journal.ts'
import { hasEnded, type JobFacts, type LocalJob, type StoredJob } from './job.ts'
import { linesOf, readJobs, withoutSecrets, type Line } from './lines.ts'
import { SECRET_KEY } from '#shared/tools/finding'
import { costOf } from '#shared/tools/index'

/** What jobs wait for apart from one another: jobs with a model are few and slow, and no others wait for them. */
export type Lane = 'usual' | 'ai'

/** Jobs that have ended, at most: the oldest are forgotten first. */
const MOST_ENDED = 2000
/** A job that had ended so long ago is not remembered by the next start. */
const REMEMBERED_MS = 2 * 3_600_000

/** Whether a change waits for the disk, and not only for the system. */
type Durability = 'synced' | 'written'

/**
 * The jobs of this computer, in the order in which they were started, and the journal that outlives the client. What changes is told at once
 * and noted in the order of the changes.
 */
export class JobQueue {
  readonly #journal: Journal
  readonly #jobs = new Map<string, LocalJob>()
  /** By their last change, the latest last. */
  readonly #changed = new Map<string, LocalJob>()
  /** Noted, and neither accepted nor forgotten yet. */
  readonly #asked = new Map<string, StoredJob>()
  readonly #listeners = new Set<(job: LocalJob) => void>()
  #change: number
  /** Whether the journal may say a password. */
  #holdsSecrets = false

  private constructor(journal: Journal, now: () => number) {
    this.#journal = journal
    // Greater than any number a page may know from an earlier start.
    this.#change = now() * 1000
  }

  /** Reads the journal; `abandoned` are jobs that were never accepted, though something may have been set aside for them. */
  static async open(path: string, now: () => number): Promise<{ queue: JobQueue; abandoned: readonly StoredJob[] }> {
    let read: ReturnType<typeof readJobs> = { accepted: [], asked: [] }
    const journal = await Journal.open(path, (lines) => {
      read = readJobs(lines, now() - REMEMBERED_MS)
      return [...linesOf(read.accepted), ...linesOf(read.asked, true)]
    })
    const queue = new JobQueue(journal, now)
    for (const job of read.accepted) queue.#put({ ...job, change: 0, progress: hasEnded(job) ? 1 : 0, parts: [] })
    return { queue, abandoned: read.asked }
  }

  /** Notes jobs before anything is set aside for them, so that a start after a crash knows whom to give that back to. */
  async ask(jobs: readonly StoredJob[], durability: Durability): Promise<void> {
    this.#holdsSecrets ||= jobs.some(hasSecret)
    for (const job of jobs) this.#asked.set(job.id, job)
    await Promise.all(linesOf(jobs, true).map((line) => this.#journal.append(line, durability === 'synced')))
  }

  /** Accepts jobs: once this resolves nothing loses them. */
  async accept(jobs: readonly StoredJob[]): Promise<void> {
    const line: Line = { kind: 'accepted', jobs: jobs.map((job) => ({ id: job.id, facts: answerOf(job) })) }
    await this.#journal.append(line, true)
    for (const job of jobs) {
      this.#asked.delete(job.id)
      this.#put({ ...job, change: 0, progress: hasEnded(job) ? 1 : 0, parts: [] })
    }
  }

  /** Forgets jobs, whether they were accepted or only asked for. */
  async forget(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      this.#asked.delete(id)
      this.#jobs.delete(id)
      this.#changed.delete(id)
    }
    if (ids.length > 0) await this.#journal.append({ kind: 'gone', ids } satisfies Line, false)
  }

  /** Changes what outlives the client; resolves once it is noted. */
  set(id: string, facts: Partial<JobFacts>, durability: Durability, passing: Partial<LocalJob> = {}): Promise<void> {
    const job = this.#jobs.get(id)
    if (!job) return Promise.resolve()
    this.#put({ ...job, ...passing, ...facts })
    return this.#note(id, facts, durability)
  }

  /** Notes what the page sees nothing of: nobody is told. */
  keep(
    id: string,
    facts: Pick<Partial<JobFacts>, 'staged' | 'stagedIn' | 'isOwing' | 'isCharged' | 'note'>,
    durability: Durability,
  ): Promise<void> {
    const job = this.#jobs.get(id)
    if (!job) return Promise.resolve()
    const kept = { ...job, ...facts }
    this.#jobs.set(id, kept)
    this.#changed.set(id, kept)
    return this.#note(id, facts, durability)
  }

  /** Changes what only matters while the client runs. */
  show(id: string, passing: Partial<Pick<LocalJob, 'progress' | 'step' | 'parts'>>): void {
    const job = this.#jobs.get(id)
    if (job) this.#put({ ...job, ...passing })
  }

  find(id: string): LocalJob | undefined {
    return this.#jobs.get(id)
  }

  /** All jobs, in the order in which they were started. */
  all(): readonly LocalJob[] {
    return [...this.#jobs.values()]
  }

  /** Jobs that changed after a number, in the order of their changes. A number never given means nothing: its reader starts over. */
  changedAfter(after: number, limit: number): readonly LocalJob[] {
    const known = after > this.#change ? 0 : after
    const found: LocalJob[] = []
    for (const job of this.#changed.values()) {
      if (found.length === limit) break
      if (job.change > known) found.push(job)
    }
    return found
  }

  /** The job of some lanes that is next. */
  next(lanes: readonly Lane[]): LocalJob | undefined {
    for (const job of this.#jobs.values()) if (job.state === 'queued' && lanes.includes(laneOf(job))) return job
    return undefined
  }

  /** How many jobs of its lane will be taken before each that waits. */
  places(): ReadonlyMap<string, number> {
    const counts = { usual: 0, ai: 0 }
    const places = new Map<string, number>()
    for (const job of this.#jobs.values()) if (job.state === 'queued') places.set(job.id, counts[laneOf(job)]++)
    return places
  }

  /** Is told of every change until the returned function is called. */
  listen(hear: (job: LocalJob) => void): () => void {
    this.#listeners.add(hear)
    return () => this.#listeners.delete(hear)
  }

  /** Notes what there is in short, without those that have ended: the next start begins without them. */
  async close(): Promise<void> {
    const kept = this.all().filter((job) => !hasEnded(job) || job.isOwing)
    await this.#journal.rewrite(() => this.#lines(kept)).catch(() => {}) // the long form says the same
    await this.#journal.close()
  }

  #lines(jobs: readonly StoredJob[]): readonly Line[] {
    return [...linesOf(jobs), ...linesOf([...this.#asked.values()], true)]
  }

  #put(job: LocalJob): void {
    const changed = { ...(hasEnded(job) ? withoutSecrets(job) : job), change: ++this.#change }
    this.#jobs.set(job.id, changed)
    this.#changed.delete(job.id)
    this.#changed.set(job.id, changed)
    for (const hear of this.#listeners) hear(changed)
  }

  async #note(id: string, facts: Partial<JobFacts>, durability: Durability): Promise<void> {
    await this.#journal.append({ kind: 'set', id, facts } satisfies Line, durability === 'synced')
    const job = this.#jobs.get(id)
    if (job && hasEnded(job) && !job.isOwing) await this.#tidy()
  }

  /** Forgets the oldest, and passwords of what has ended, which the journal's earlier lines still hold. */
  async #tidy(): Promise<void> {
    const ended = this.all().filter((job) => hasEnded(job) && !job.isOwing)
    if (ended.length > MOST_ENDED) await this.forget(ended.slice(0, ended.length - MOST_ENDED).map(({ id }) => id))
    const isIdle = ended.length === this.#jobs.size
    if (!this.#journal.isLong && !(isIdle && this.#holdsSecrets)) return
    this.#holdsSecrets = false
    await this.#journal.rewrite(() => this.#lines(this.all())).catch(() => {}) // the long form says the same
  }
}

/** What is known of a job when its call is answered. */
const answerOf = ({ state, error, isOwing, endedAt }: StoredJob): Partial<JobFacts> => ({
  state,
  isOwing,
  ...(error && { error }),
  ...(endedAt !== undefined && { endedAt }),
})

const hasSecret = ({ options }: StoredJob): boolean => typeof options === 'object' && options !== null && SECRET_KEY in options

/** What a job waits for. */
export const laneOf = ({ tool, options }: Pick<LocalJob, 'tool' | 'options'>): Lane =>
  costOf(tool, options as Record<string, unknown>) === 'ai' ? 'ai' : 'usual' // checked options are a record
