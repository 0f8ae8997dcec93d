import { randomBytes } from 'node:crypto'
import { z } from 'zod/mini'
import { eventStream } from './event-stream.ts'
import type { LocalFeed } from './feed.ts'
import type { LocalJob } from './job.ts'
import type { JobQueue } from './queue.ts'
import type { Runner } from './runner.ts'
import { serveFile, type ServedFile } from './serve-file.ts'
import type { Submitter } from './submit.ts'
import type { Zips } from './zip.ts'
import type { Log } from '../log.ts'
import { codeOf } from '#engine/failures'
import type { Call } from '#shared/api/call'
import { givenKey, lastChange } from '#shared/api/job-headers'
import * as calls from '#shared/api/jobs'
import { AppError, toWire } from '#shared/errors/app-error'
import { errorTexts } from '#shared/errors/codes'

/** Strokes may take most of a megabyte; a call of a thousand files with their folders some more. */
const MOST_BODY_BYTES = 16 * 1024 ** 2

/** What calls are answered from. */
export interface WireSettings {
  readonly queue: JobQueue
  readonly feed: LocalFeed
  readonly submitter: Submitter
  readonly runner: Runner
  readonly zips: Zips
  /** A job's n-th result. Throws `result.gone`. */
  readonly result: (jobId: string, n: number) => Promise<ServedFile>
  /** What a job left for editors. Throws `result.gone`. */
  readonly part: (jobId: string, name: string) => Promise<ServedFile>
  /** A file the page may work on. Throws `file.missing`. */
  readonly file: (key: string) => Promise<ServedFile>
  /** Removes what only a job needed. */
  readonly onRemoved: (job: LocalJob) => Promise<void>
  readonly log: Log
}

type Params = Readonly<Record<string, string>>
type Answer = (request: Request, params: Params) => Promise<Response> | Response
/** Methods, a path with `:names` in it, and what answers. */
type Route = readonly [methods: readonly string[], path: string, answer: Answer]

/** Answers what the page asks of this computer, as the server answers for its own: `/api/jobs…`, and `/local/…` for files. */
export class Wire {
  readonly #settings: WireSettings
  readonly #routes: readonly Route[]

  constructor(settings: WireSettings) {
    this.#settings = settings
    this.#routes = [...this.#jobRoutes(), ...this.#fileRoutes()]
  }

  /** Answers a call; a failure is an answer too. */
  async handle(request: Request): Promise<Response> {
    try {
      const { pathname } = new URL(request.url)
      for (const [methods, path, answer] of this.#routes) {
        const params = methods.includes(request.method) ? paramsOf(path, pathname) : undefined
        if (params) return await answer(request, params)
      }
      throw new AppError('address.unknown', {})
    } catch (thrown) {
      return this.#failure(thrown)
    }
  }

  #jobRoutes(): readonly Route[] {
    const { queue, feed, submitter, runner, zips, onRemoved } = this.#settings
    const { createJobs, listJobs, readJob, cancelJob, deleteJob, zipJobs } = calls
    return [
      [['GET'], '/api/jobs/events', (request) => eventStream(feed, afterOf(request) ?? 0)],
      [['GET'], '/api/jobs/zip/:ticket', (_request, { ticket = '' }) => zips.take(ticket)],
      serve(zipJobs, async (_request, { ids }) => ({ ticket: zips.issue(ids) })),
      serve(createJobs, async (request, body) => {
        const jobs = await submitter.submit(requestKeyOf(request), body)
        runner.wake()
        return { jobs }
      }),
      serve(listJobs, async (request) => {
        const after = afterOf(request)
        const jobs =
          after === undefined ? queue.all().toReversed().slice(0, calls.LISTED_JOBS) : queue.changedAfter(after, calls.LISTED_JOBS)
        return [...feed.views(jobs)]
      }),
      serve(readJob, async (_request, _body, { id = '' }) => this.#view(id)),
      serve(cancelJob, async (_request, _body, { id = '' }) => {
        await runner.end(this.#job(id), 'cancelled')
        return {}
      }),
      serve(deleteJob, async (_request, _body, { id = '' }) => {
        const job = this.#job(id)
        await runner.end(job, 'expired')
        await onRemoved(job)
        return {}
      }),
    ]
  }

  #fileRoutes(): readonly Route[] {
    const { result, part, file } = this.#settings
    const methods = ['GET', 'HEAD']
    return [
      [methods, '/local/results/:id/:n', async (request, { id = '', n = '' }) => serveFile(request, await result(id, Number(n)))],
      [methods, '/local/parts/:id/:name', async (request, { id = '', name = '' }) => serveFile(request, await part(id, name))],
      [methods, '/local/files/:key', async (request, { key = '' }) => serveFile(request, await file(key))],
    ]
  }

  /** Throws `job.not-found`. */
  #job(id: string): LocalJob {
    const job = this.#settings.queue.find(id)
    if (!job) throw new AppError('job.not-found', {})
    return job
  }

  #view(id: string): calls.JobView {
    const [view] = this.#settings.feed.views([this.#job(id)])
    if (!view) throw new AppError('job.not-found', {})
    return view
  }

  /** The envelope `{code, data, ref}`; the cause stays in the log, under the same ref. */
  #failure(thrown: unknown): Response {
    const error = publicError(thrown)
    const { status } = errorTexts[error.code]
    const ref = randomBytes(4).toString('hex')
    if (status >= 500) this.#settings.log(`call failed: ${error.code} ${ref}`, error.cause ?? error)
    return Response.json({ ...toWire(error), ref }, { status: status < 600 ? status : 500, headers: { 'cache-control': 'no-store' } })
  }
}

/** What the page may know of anything thrown: that this computer's disk is full, a person can mend. */
function publicError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  const isFull = codeOf(thrown) === 'ENOSPC' || codeOf(thrown) === 'EDQUOT'
  return isFull ? new AppError('storage.full', {}, { cause: thrown }) : new AppError('internal', {}, { cause: thrown })
}

/** Serves one call of the API: its body is checked on the way in, and its reply wrapped in `{data}`. */
function serve<Body extends z.ZodMiniType, Reply extends z.ZodMiniType>(
  call: Call<Body, Reply>,
  handle: (request: Request, body: z.output<Body>, params: Params) => Promise<z.input<Reply>>,
): Route {
  const answer: Answer = async (request, params) => {
    const parsed = call.body.safeParse(call.method === 'POST' ? await bodyOf(request) : undefined)
    if (!parsed.success && call.method === 'POST') throw new AppError('request.invalid', {}, { cause: parsed.error })
    const data = await handle(request, parsed.data as z.output<Body>, params) // checked just now, where there is a body at all
    return Response.json({ data }, { headers: { 'cache-control': 'no-store' } })
  }
  return [[call.method], `/api${call.path}`, answer]
}

async function bodyOf(request: Request): Promise<unknown> {
  const text = await request.text()
  if (text.length > MOST_BODY_BYTES) throw new AppError('request.too-large', {})
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch (cause) {
    throw new AppError('request.invalid', {}, { cause })
  }
}

/** The `:names` of a path; undefined where it is another. */
function paramsOf(path: string, pathname: string): Params | undefined {
  const [wanted, given] = [path.split('/'), pathname.split('/')]
  if (wanted.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [at, part] of wanted.entries()) {
    const word = given[at] ?? ''
    if (!part.startsWith(':') && part !== word) return undefined
    if (part.startsWith(':')) params[part.slice(1)] = decoded(word)
  }
  return params
}

/** A word of an address; one that is no such word names nothing. */
function decoded(word: string): string {
  try {
    return decodeURIComponent(word)
  } catch {
    return ''
  }
}

const afterOf = ({ headers, url }: Request): number | undefined =>
  lastChange(headers.get('last-event-id'), new URL(url).searchParams.get('after'))

const requestKeyOf = ({ headers }: Request): string => givenKey(headers.get('idempotency-key')) ?? `own-${randomBytes(12).toString('hex')}`
