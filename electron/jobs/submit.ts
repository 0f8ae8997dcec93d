import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { checkAttachment, checkInput, namedInput, type CheckedInput } from './check-input.ts'
import { earlierFinding } from './earlier.ts'
import type { LocalCall, LocalInput, OutputChoice, StoredJob } from './job.ts'
import type { JobQueue } from './queue.ts'
import type { Grants } from '../files/grants.ts'
import type { Log } from '../log.ts'
import type { Quota } from '../quota.ts'
import { MAX_INPUTS, MAX_TOGETHER, type createJobs } from '#shared/api/jobs'
import { AppError, toWire } from '#shared/errors/app-error'
import { findingOf, keptOptions } from '#shared/tools/finding'
import { costOf, isToolId, needsAttachment, parseOptions, toolOf, type OptionsOf, type ToolId } from '#shared/tools/index'
import type { z } from 'zod/mini'

/** Jobs that may wait. */
const WAITING = 10_000
/** Options of a call, as JSON: strokes may take most of a megabyte. */
const MOST_OPTIONS_BYTES = 8 * 1024 ** 2

/** What a call is accepted with. */
export interface SubmitSettings {
  readonly queue: JobQueue
  readonly grants: Grants
  readonly quota: Quota
  /** Where results go, as it is set now. */
  readonly output: () => OutputChoice
  readonly now: () => number
  readonly log: Log
}

type Body = z.output<typeof createJobs.body>

/** A call whose tool is there and whose options are right. */
interface Call {
  readonly requestKey: string
  readonly body: Body
  readonly tool: ToolId
  readonly options: OptionsOf<ToolId>
}

/** A job to be, and why it can't be one. */
interface Wanted {
  readonly job: StoredJob
  readonly refusal: AppError | undefined
  /** Whether what an earlier job found does for it, so that it costs nothing. */
  readonly isFound: boolean
}

/** What a call is answered: its jobs in the order of its inputs. */
export type Accepted = z.output<typeof createJobs.reply>['jobs']

/** Accepts calls as the server does: a call under a known key is the same call, and what it accepts nothing loses. */
export class Submitter {
  readonly #settings: SubmitSettings
  /** Calls on their way, by their keys. */
  readonly #underWay = new Map<string, Promise<unknown>>()

  constructor(settings: SubmitSettings) {
    this.#settings = settings
  }

  /**
   * Accepts a batch, one job an input. Throws what refuses the whole call: an unknown tool, wrong options, a background that can't be used, no
   * input that can be processed, or nothing to pay with. What is left pays for the first ones; the others have failed with `quota.used-up`.
   */
  async submit(requestKey: string, body: Body): Promise<Accepted> {
    const call = parseCall(requestKey, body)
    // The same call may have come in twice at the same time.
    while (this.#underWay.has(requestKey)) await this.#underWay.get(requestKey)?.catch(() => {})
    const earlier = this.#find(call)
    if (earlier) return earlier
    const accepting = this.#accept(call).finally(() => this.#underWay.delete(requestKey))
    this.#underWay.set(requestKey, accepting)
    return accepting
  }

  async #accept(call: Call): Promise<Accepted> {
    const { grants, queue } = this.#settings
    const { tool, options, body, requestKey } = call
    const { attachment: spec } = toolOf(tool)
    const attachment = spec && body.attachment !== undefined ? await checkAttachment(grants, spec, body.attachment) : undefined
    if (spec && !attachment && needsAttachment(tool, options)) throw new AppError('options.background-missing', { label: spec.label })
    const output = this.#settings.output()
    const wanted = await this.#wanted(call, { requestKey, tool, options, output, ...(attachment && { attachment }) })
    const waiting = queue.all().filter(({ state }) => state === 'queued').length
    if (waiting + wanted.length > WAITING) throw new AppError('job.busy', {})
    const jobs = await this.#pay(call, wanted)
    await queue.accept(jobs).catch(async (error: unknown) => {
      await this.#giveUp(jobs)
      throw error
    })
    return jobs.map(acceptedOf)
  }

  /** The jobs of a call. Throws the first refusal when no job is left. */
  async #wanted({ tool, body }: Call, shared: LocalCall): Promise<readonly Wanted[]> {
    const { accepts, takes } = toolOf(tool)
    const checked: CheckedInput[] = []
    for (const [index, input] of body.inputs.entries()) {
      checked.push(await checkInput(this.#settings.grants, accepts, { ...input, place: input.place ?? index + 1 }))
    }
    const refusals = checked.flatMap(({ refusal }) => refusal ?? [])
    if (refusals[0] && (takes === 'all' || refusals.length === checked.length)) throw refusals[0]
    const [first, ...others] = checked.map(plain)
    if (!first) throw new AppError('request.invalid', {})
    if (takes === 'all') return [this.#wantedOne(shared, [first, ...others], undefined)]
    return checked.map((one) => this.#wantedOne(shared, [plain(one)], one.refusal))
  }

  #wantedOne(call: LocalCall, inputs: StoredJob['inputs'], refusal: AppError | undefined): Wanted {
    const { queue, now } = this.#settings
    const state = { state: 'queued', outputs: [], isOwing: false, crashes: 0, interruptions: 0 } as const
    const job: StoredJob = { ...call, ...state, id: randomBytes(16).toString('hex'), inputs, createdAt: now() }
    const finding = findingOf(call.tool, call.options as OptionsOf<ToolId>, call.attachment?.tag) // parsed when the call came
    return { job, refusal, isFound: finding !== undefined && earlierFinding(queue, finding, inputs[0]) !== undefined }
  }

  /** The same jobs, noted, those that nothing is left for refused. Throws `quota.used-up` when nothing is left for any. */
  async #pay({ tool, options }: Call, wanted: readonly Wanted[]): Promise<readonly StoredJob[]> {
    const { queue } = this.#settings
    const isFree = costOf(tool, options) === 'free'
    const isOwing = ({ refusal, isFound }: Wanted): boolean => !refusal && !isFound && !isFree
    const asked = wanted.map((one) => (one.refusal ? this.#refused(one.job, one.refusal) : { ...one.job, isOwing: isOwing(one) }))
    const owing = asked.filter((job) => job.isOwing)
    // Where nothing is set aside, accepting them is the first thing that must not be lost.
    await queue.ask(asked, owing.length > 0 ? 'synced' : 'written')
    try {
      const paid = await this.#reserve(tool, options, owing)
      const isIn = (job: StoredJob): boolean => !job.isOwing || paid.has(job.id)
      if (!asked.some((job) => job.state === 'queued' && isIn(job))) throw new AppError('quota.used-up', {})
      return asked.map((job) => (isIn(job) ? job : this.#refused({ ...job, isOwing: false }, new AppError('quota.used-up', {}))))
    } catch (error) {
      await this.#giveUp(asked)
      throw error
    }
  }

  async #reserve(tool: ToolId, options: OptionsOf<ToolId>, owing: readonly StoredJob[]): Promise<ReadonlySet<string>> {
    if (owing.length === 0) return new Set()
    const charges = owing.map(({ id, inputs }) => ({ jobId: id, units: inputs.length }))
    return this.#settings.quota.reserve(tool, options, charges)
  }

  /** Nothing was accepted: what may have been set aside all the same goes back, at the next start where it can't now. */
  async #giveUp(asked: readonly StoredJob[]): Promise<void> {
    const { queue, quota, log } = this.#settings
    try {
      for (const { id, isOwing } of asked) if (isOwing) await quota.settle(id, 'released')
      await queue.forget(asked.map(({ id }) => id))
    } catch (error) {
      log('giving back what was set aside failed', error)
    }
  }

  #refused(job: StoredJob, refusal: AppError): StoredJob {
    return { ...job, options: keptOptions(job.options), state: 'failed', error: toWire(refusal), endedAt: this.#settings.now() }
  }

  /** The jobs of an earlier call under the same key. Throws `request.invalid` when that call asked for something else. */
  #find({ requestKey, body, tool, options }: Call): Accepted | undefined {
    const jobs = this.#settings.queue.all().filter((job) => job.requestKey === requestKey)
    const [first] = jobs
    if (!first) return undefined
    const given = keptOptions(options)
    const isSame = jobs.every((job) => job.tool === tool && isDeepStrictEqual(keptOptions(job.options), given))
    const own = [...jobs.flatMap(({ inputs }) => inputs), ...(first.attachment ? [first.attachment] : [])]
    const asked = [...body.inputs, ...(body.attachment ? [body.attachment] : [])].map(namedInput)
    if (!isSame || !isDeepStrictEqual(filesOf(own), filesOf(asked))) throw new AppError('request.invalid', {})
    return jobs.map(acceptedOf)
  }
}

const plain = ({ refusal: _refusal, ...input }: CheckedInput): LocalInput => input
const acceptedOf = ({ id, inputs }: StoredJob): Accepted[number] => ({ id, name: inputs[0].name })
const filesOf = (inputs: readonly Pick<LocalInput, 'key' | 'name'>[]) => inputs.map(({ key, name }) => ({ key, name }))

function parseCall(requestKey: string, body: Body): Call {
  const { tool, inputs } = body
  if (!isToolId(tool) || !toolOf(tool).runsOn.includes('desktop')) throw new AppError('tool.unavailable', {})
  const limit = toolOf(tool).takes === 'all' ? MAX_TOGETHER : MAX_INPUTS
  if (inputs.length > limit) throw new AppError('batch.too-many', { limit })
  const options = parseOptions(tool, body.options ?? {})
  if (JSON.stringify(options).length > MOST_OPTIONS_BYTES) throw new AppError('request.too-large', {})
  // A page may hold a background ready that is not chosen.
  const { attachment, ...rest } = body
  return { requestKey, body: needsAttachment(tool, options) && attachment ? { ...rest, attachment } : rest, tool, options }
}
