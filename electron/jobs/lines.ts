import { hasEnded, INTERRUPTIONS_ALLOWED, type JobFacts, type LocalCall, type LocalInput, type StoredJob } from './job.ts'
import { keptOptions } from '#shared/tools/finding'
import { isToolId } from '#shared/tools/index'

interface NotedJob {
  readonly id: string
  readonly inputs: readonly [LocalInput, ...LocalInput[]]
  readonly createdAt: number
  readonly facts: JobFacts
}

/**
 * A line of the journal: jobs of a call, asked for or accepted; that those asked for are accepted, with what differs since; that something of
 * a job changed; that jobs are forgotten.
 */
export type Line =
  | { readonly kind: 'call'; readonly isAsked: boolean; readonly call: LocalCall; readonly jobs: readonly NotedJob[] }
  | { readonly kind: 'accepted'; readonly jobs: readonly { readonly id: string; readonly facts: Partial<JobFacts> }[] }
  | { readonly kind: 'set'; readonly id: string; readonly facts: Partial<JobFacts> }
  | { readonly kind: 'gone'; readonly ids: readonly string[] }

/** Jobs of one call as a line. */
function callLine(jobs: readonly StoredJob[], isAsked: boolean): Line {
  const [first] = jobs
  if (!first) return { kind: 'gone', ids: [] }
  const { requestKey, tool, options, attachment, output } = first
  const call = { requestKey, tool, options, output, ...(attachment && { attachment }) }
  return { kind: 'call', isAsked, call, jobs: jobs.map(notedJob) }
}

const notedJob = ({ id, inputs, createdAt, ...job }: StoredJob): NotedJob => {
  const { state, note, error, outputs, staged, stagedIn, isOwing, isCharged, crashes, interruptions, endedAt } = job
  const some = { note, error, staged, stagedIn, isCharged, endedAt }
  const known = Object.fromEntries(Object.entries(some).filter(([, value]) => value !== undefined))
  return { id, inputs, createdAt, facts: { state, outputs, isOwing, crashes, interruptions, ...known } }
}

/** Accepted jobs in as few lines as say all of them. */
export function linesOf(jobs: readonly StoredJob[], isAsked = false): readonly Line[] {
  const calls = new Map<string, StoredJob[]>()
  for (const job of jobs) {
    // Of the jobs of one call some may have ended: their options are without secrets.
    const like = `${job.requestKey} ${hasEnded(job)}`
    calls.set(like, [...(calls.get(like) ?? []), job])
  }
  const order = new Map(jobs.map(({ id }, place) => [id, place]))
  const placeOf = ([first]: readonly StoredJob[]): number => order.get(first?.id ?? '') ?? 0
  return [...calls.values()].toSorted((left, right) => placeOf(left) - placeOf(right)).map((some) => callLine(some, isAsked))
}

/**
 * What a journal's lines come to: the jobs that were accepted, without those that had ended before `since`, and those that were only asked
 * for. What was at work when the client ended waits again, unless that happened too often.
 */
export function readJobs(lines: readonly unknown[], since: number): { accepted: readonly StoredJob[]; asked: readonly StoredJob[] } {
  const jobs = new Map<string, StoredJob>()
  const asked = new Set<string>()
  for (const line of lines) {
    try {
      readLine(line as Line, jobs, asked) // only this program writes lines, whole or not at all
    } catch {
      // Or something else did: it says nothing.
    }
  }
  const all = [...jobs.values()]
  const isRemembered = ({ endedAt = 0, isOwing, ...job }: StoredJob): boolean =>
    !hasEnded(job) || isOwing || (job.state !== 'expired' && endedAt > since)
  // What another version began with a tool that is none here is as good as never accepted.
  const isOurs = ({ id, tool, inputs }: StoredJob): boolean => !asked.has(id) && isToolId(tool) && inputs.length > 0
  return {
    accepted: all.filter((job) => isOurs(job) && isRemembered(job)).map(again),
    asked: all.filter((job) => !isOurs(job)),
  }
}

function readLine(line: Line, jobs: Map<string, StoredJob>, asked: Set<string>): void {
  const change = (id: string, facts: Partial<JobFacts>): void => {
    const job = jobs.get(id)
    if (job) jobs.set(id, { ...job, ...facts })
  }
  switch (line.kind) {
    case 'call':
      for (const { facts, ...job } of line.jobs) {
        jobs.set(job.id, { ...line.call, ...job, ...facts })
        if (line.isAsked) asked.add(job.id)
      }
      return
    case 'accepted':
      for (const { id, facts } of line.jobs) {
        change(id, facts)
        asked.delete(id)
      }
      return
    case 'set':
      return change(line.id, line.facts)
    case 'gone':
      for (const id of line.ids) jobs.delete(id)
  }
}

function again(job: StoredJob): StoredJob {
  if (hasEnded(job)) return withoutSecrets(job)
  if (job.state === 'queued') return job
  const interruptions = job.interruptions + 1
  const isHopeless = interruptions > INTERRUPTIONS_ALLOWED && !job.staged?.length
  if (!isHopeless) return { ...job, interruptions, state: 'queued' }
  return withoutSecrets({ ...job, interruptions, state: 'failed', error: { code: 'job.failed', data: {} }, endedAt: Date.now() })
}

/** A job that has ended keeps no password. */
export const withoutSecrets = <Job extends StoredJob>(job: Job): Job => ({ ...job, options: keptOptions(job.options) })
