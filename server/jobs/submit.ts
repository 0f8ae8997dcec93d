import { isDeepStrictEqual } from 'node:util'
import { checkAttachment, checkInput, namedInput, type InputRules } from './check-input.ts'
import { earlierFindings } from './earlier.ts'
import { announce, changing, ended, type Lane } from './queue.ts'
import { sealOptions } from './sealed-options.ts'
import { readStanding, type QueueLength, type Standing } from './standing.ts'
import { reserve, type Terms } from '../billing/ledger.ts'
import type { Payer } from '../billing/payer.ts'
import type { Database } from '../database/open.ts'
import { jobs, type StoredInput } from '../database/schema.ts'
import { randomText } from '../secrets.ts'
import { MAX_INPUTS, MAX_TOGETHER, type createJobs } from '#shared/api/jobs'
import { AppError, toWire } from '#shared/errors/app-error'
import type { Allowance } from '#shared/membership'
import type { Cost } from '#shared/tools/define'
import { findingOf, keptOptions } from '#shared/tools/finding'
import { costOf, isToolId, needsAttachment, parseOptions, toolOf, type OptionsOf, type ToolId } from '#shared/tools/index'
import type { z } from 'zod'

/** Where jobs of each class wait. */
const laneOf: Readonly<Record<Cost, Lane>> = { image: 'usual', free: 'usual', ai: 'ai', document: 'document' }
/** Options of all jobs of a call together, as JSON: strokes may take most of a megabyte, and every job keeps its own. */
const MOST_OPTIONS_BYTES = 8 * 1024 ** 2

/** What jobs must keep to: their uploads, and how many are free; and what seals their secrets. */
export interface SubmitRules extends InputRules {
  readonly allowance: Allowance
  readonly secretKey: Buffer
  readonly length: QueueLength
  /** How many jobs may wait. */
  readonly mostWaiting: { readonly inAll: number; readonly ofOne: number }
}

/** What a call asks for, and whose it is. The key is the caller's own name for the call. */
export interface Submission {
  readonly payer: Payer
  readonly requestKey: string
  readonly body: z.output<typeof createJobs.body>
}

interface Accepted {
  readonly id: string
  readonly name: string
}

/** An input as stored, or why it can't be processed. */
type Checked = StoredInput & { readonly refusal?: AppError }

/** A job to be. */
interface Wanted {
  readonly id: string
  readonly inputs: readonly StoredInput[]
  readonly refusal: AppError | undefined
  /** Whether what an earlier job found does for it. */
  readonly isFound?: boolean
}

/**
 * Accepts a batch, one job an input, in one transaction with its reservations; once this returns, the jobs survive anything.
 * Throws what refuses the whole call: an unknown tool, wrong options, a background that can't be used, a full queue, no input that can
 * be processed, or nothing to pay with. What is left pays for the first ones; the others are jobs that have failed with `quota.used-up`.
 */
export async function submitJobs(db: Database, rules: SubmitRules, submission: Submission): Promise<readonly Accepted[]> {
  const call = parseCall(submission)
  const { payer, tool, options } = call
  // Before the storage is asked for each file: who is refused now is to cost nothing.
  const before = await readStanding(db, call)
  const earlier = sameCall(call, before)
  if (earlier) return earlier
  await rules.length.count(db)
  refuseFullQueue(rules, call, before)
  const attachment = await attachmentOf(rules, call)
  const wanted = await wantedOf(rules, call)
  return changing(db, async (tx) => {
    // The same call may have come in twice at the same time, and the other one was first.
    const standing = await readStanding(tx, call)
    const meanwhile = sameCall(call, standing)
    if (meanwhile) return meanwhile
    refuseFullQueue(rules, call, standing)
    const now = rules.now()
    const known = await withFindings(tx, call, attachment, wanted, now)
    const affordable = await pay(tx, payer, costOf(tool, options), known, { allowance: rules.allowance, now })
    rules.length.add(affordable.length)
    return insert(tx, rules.secretKey, call, attachment, affordable, standing, now)
  })
}

/** A call whose tool is there and whose options are right. */
interface Call extends Submission {
  readonly identityId: string
  readonly tool: ToolId
  readonly options: OptionsOf<ToolId>
  /** Where its jobs wait. */
  readonly lane: Lane
}

function parseCall({ payer, requestKey, body }: Submission): Call {
  const { tool, inputs } = body
  if (!isToolId(tool) || !toolOf(tool).runsOn.includes('cloud')) throw new AppError('tool.unavailable', {})
  const limit = toolOf(tool).takes === 'all' ? MAX_TOGETHER : MAX_INPUTS
  if (inputs.length > limit) throw new AppError('batch.too-many', { limit })
  const options = parseOptions(tool, body.options ?? {})
  if (JSON.stringify(options).length * inputs.length > MOST_OPTIONS_BYTES) throw new AppError('request.too-large', {})
  // A page may hold a background ready that is not chosen.
  const attachment = needsAttachment(tool, options) ? body.attachment : undefined
  const lane = laneOf[costOf(tool, options)]
  return { payer, identityId: payer.identityId, requestKey, body: { ...body, attachment }, tool, options, lane }
}

async function attachmentOf(rules: SubmitRules, { payer, tool, options, body }: Call): Promise<StoredInput | undefined> {
  const { attachment } = toolOf(tool)
  if (!attachment || !needsAttachment(tool, options)) return undefined
  return checkAttachment(rules, payer.identityId, attachment, body.attachment)
}

/** The jobs of a call. Throws the first refusal when no job is left. */
async function wantedOf(rules: SubmitRules, { payer, tool, body: { inputs } }: Call): Promise<readonly Wanted[]> {
  const { accepts, takes } = toolOf(tool)
  const numbered = inputs.map((input, index) => ({ ...input, place: input.place ?? index + 1 }))
  const checked: Checked[] = []
  // Some at a time: each asks the storage, and all at once would hold as many sockets.
  for (let at = 0; at < inputs.length; at += 8) {
    checked.push(...(await Promise.all(numbered.slice(at, at + 8).map((input) => checkInput(rules, payer.identityId, accepts, input)))))
  }
  const refusals = checked.flatMap(({ refusal }) => refusal ?? [])
  if (refusals[0] && (takes === 'all' || refusals.length === checked.length)) throw refusals[0]
  return takes === 'all' ? [together(checked)] : checked.map(alone)
}

const stored = ({ refusal: _refusal, ...input }: Checked): StoredInput => input
const alone = (one: Checked): Wanted => ({ id: randomText(26), inputs: [stored(one)], refusal: one.refusal })
const together = (all: readonly Checked[]): Wanted => ({ id: randomText(26), inputs: all.map(stored), refusal: undefined })

/** The same jobs, with whether what they need was found in their pictures before. */
async function withFindings(
  tx: Database,
  { payer, tool, options }: Call,
  attachment: StoredInput | undefined,
  wanted: readonly Wanted[],
  now: number,
): Promise<readonly Wanted[]> {
  const finding = findingOf(tool, options, attachment?.etag)
  if (finding === undefined) return wanted
  const { identityId } = payer
  const earlier = await earlierFindings(tx, { identityId, finding, inputs: wanted.flatMap(({ inputs }) => inputs), now })
  return wanted.map((one) => ({ ...one, isFound: earlier.has(one.inputs[0]?.key ?? '') }))
}

/**
 * The same jobs, those that nothing is left for refused. What was cut out or coloured before costs nothing again, whatever is left. Throws
 * `quota.used-up` when nothing is left for any.
 */
async function pay(tx: Database, payer: Payer, cost: Cost, wanted: readonly Wanted[], terms: Terms): Promise<readonly Wanted[]> {
  const able = wanted.filter(({ refusal }) => !refusal)
  const charge = (some: readonly Wanted[], at: Cost): Promise<ReadonlySet<string>> => {
    const charges = some.map(({ id, inputs }) => ({ jobId: id, units: inputs.length }))
    return reserve(tx, payer, at, charges, terms)
  }
  const free = await charge(
    able.filter(({ isFound }) => isFound),
    'free',
  )
  const paid = await charge(
    able.filter(({ isFound }) => !isFound),
    cost,
  )
  if (free.size + paid.size === 0) throw new AppError('quota.used-up', {})
  const isIn = ({ id }: Wanted): boolean => free.has(id) || paid.has(id)
  return wanted.map((one) => (one.refusal || isIn(one) ? one : { ...one, refusal: new AppError('quota.used-up', {}) }))
}

async function insert(
  tx: Database,
  secretKey: Buffer,
  { identityId, requestKey, tool, options, lane }: Call,
  attachment: StoredInput | undefined,
  wanted: readonly Wanted[],
  { turn: first, isGuest }: Standing,
  now: number,
): Promise<readonly Accepted[]> {
  let turn = first
  const rows = wanted.map(({ id, refusal, inputs }, ordinal) => ({
    id,
    identityId,
    requestKey,
    ordinal,
    tool,
    lane,
    turn: refusal ? 0 : turn++,
    isGuest,
    inputs: attachment ? [...inputs, attachment] : inputs,
    state: refusal ? ('failed' as const) : ('queued' as const),
    ...(refusal && { error: toWire(refusal), progress: 1, ...ended(now) }),
    options: refusal ? keptOptions(options) : sealOptions(secretKey, options),
  }))
  await tx.insert(jobs).values(rows)
  await announce(tx, rows, true)
  return rows.map(acceptedOf)
}

const acceptedOf = ({ id, inputs }: Pick<typeof jobs.$inferSelect, 'id' | 'inputs'>): Accepted => ({ id, name: inputs[0]?.name ?? '' })

/** The jobs of an earlier call under the same key. Throws `request.invalid` when that call asked for something else. */
function sameCall({ identityId, body, tool, options }: Call, { earlier: rows }: Standing): readonly Accepted[] | undefined {
  if (rows.length === 0) return undefined
  // What was asked for then is forgotten.
  if (rows.some(({ isCleared }) => isCleared)) return rows.map(acceptedOf)
  const { inputs, attachment } = body
  const asked = [...inputs, ...(attachment ? [attachment] : [])].map((input) => namedInput(identityId, input))
  const own = rows.flatMap((row) => row.inputs.filter(({ isAttachment }) => !isAttachment))
  const shared = rows[0]?.inputs.filter(({ isAttachment }) => isAttachment) ?? []
  const given = keptOptions(options)
  const isSame = rows.every((row) => row.tool === tool && isDeepStrictEqual(keptOptions(row.options), given))
  if (!isSame || !isDeepStrictEqual(filesOf([...own, ...shared]), filesOf(asked))) throw new AppError('request.invalid', {})
  return rows.map(acceptedOf)
}

const filesOf = (inputs: readonly Pick<StoredInput, 'key' | 'name'>[]) => inputs.map(({ key, name }) => ({ key, name }))

function refuseFullQueue({ length, mostWaiting: { inAll, ofOne } }: SubmitRules, { tool, body }: Call, { own }: Standing): void {
  const coming = toolOf(tool).takes === 'all' ? 1 : body.inputs.length
  if (own + coming > ofOne || length.jobs + coming > inAll) throw new AppError('job.busy', {})
}
