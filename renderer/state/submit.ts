import { syncAccount } from './account.ts'
import { tellAttachment } from './attachment.ts'
import { hasWaited, whenOnline } from './network.ts'
import { noteAccepted, noteUsedUp } from './offer.ts'
import { changeRow, isGoing, readRow, withoutJob } from './rows.ts'
import { rememberJobs } from './tabs.ts'
import { tellServer } from './tell-server.ts'
import { isClient } from '../platform/desktop.ts'
import { transport } from '../platform/http.ts'
import { newId } from '../platform/unsecured.ts'
import { cancelJob, createJobs, deleteJob } from '#shared/api/jobs'
import { send } from '#shared/api/send'
import { AppError, toWire } from '#shared/errors/app-error'
import { findPage } from '#shared/tools/index'

/** An uploaded row on its way into a job. */
export interface Submission {
  readonly id: string
  readonly page: string
  readonly options: unknown
  readonly input: { readonly key: string; readonly name: string; readonly path?: string; readonly place?: number }
  /** The second file its options call for. */
  readonly attachment?: Attachment
}

interface Attachment {
  readonly file: File
  readonly key: string
  /** Uploaded anew since the server had it no longer. */
  readonly isAgain: boolean
}

/** Files whose upload ends within this time go into one call. */
const GATHER_MS = 120
const CALL_SIZE = 50
/** Jobs take a moment to be refused at the door; longer than a control. */
const SUBMIT_MS = 60_000

let gathered: Submission[] = []
let timer: ReturnType<typeof setTimeout> | undefined
/** Calls on their way: their jobs may be heard of before they are known. */
let underWay = 0

let settled = (): void => {}

/** Sets what is told whenever a call has been answered. */
export const onSettled = (tell: () => void): void => void (settled = tell)

let startAgain = (_files: readonly Submission[]): void => {}

/** Sets what takes files back whose session came to an end: another identity has to upload them anew. */
export const onSessionOver = (take: (files: readonly Submission[]) => void): void => void (startAgain = take)

let attachAgain = (_files: readonly Submission[]): void => {}

/** Sets what takes files back whose second file has to be uploaded anew. */
export const onAttachmentLost = (take: (files: readonly Submission[]) => void): void => void (attachAgain = take)

export const isSubmitting = (): boolean => underWay > 0 || gathered.length > 0

/** Hands a row in, together with those that come at the same time under the same options. */
export function submit(one: Submission): void {
  gathered.push(one)
  if (gathered.length >= CALL_SIZE) flush()
  else timer ??= setTimeout(flush, GATHER_MS)
}

/** Hands rows in as one job. */
export function submitTogether(group: readonly Submission[]): void {
  if (group.length > 0) void call(group)
}

function flush(): void {
  clearTimeout(timer)
  timer = undefined
  const groups = new Map<string, Submission[]>()
  for (const one of gathered) {
    const like = `${one.page} ${JSON.stringify(one.options)} ${one.attachment?.key ?? ''}`
    groups.set(like, [...(groups.get(like) ?? []), one])
  }
  gathered = []
  for (const group of groups.values()) void call(group)
}

/** Repeated under one key until it is answered, so that a lost answer makes no second job. */
async function call(group: readonly Submission[]): Promise<void> {
  const [{ page, options, attachment } = { page: '', options: {}, attachment: undefined }] = group
  const tool = findPage(page)?.tool.id ?? ''
  const headers = { 'Idempotency-Key': newId() }
  underWay += 1
  try {
    for (;;) {
      try {
        const body = {
          tool,
          options,
          inputs: group.map(({ input }) => input),
          ...(attachment && { attachment: { key: attachment.key, name: attachment.file.name } }),
        }
        const { jobs } = await send(transport, createJobs, body, { headers, deadlineMs: SUBMIT_MS })
        return accept(
          page,
          group,
          jobs.map(({ id }) => id),
        )
      } catch (error) {
        if (error instanceof AppError && error.code === 'job.busy') tellBusy(group)
        if (await hasWaited(error)) continue
        if (!(error instanceof AppError) || !['network.offline', 'service.unavailable'].includes(error.code)) throw error
        await whenOnline()
      }
    }
  } catch (error) {
    refuse(group, error)
  } finally {
    underWay -= 1
    settled()
  }
}

function tellBusy(group: readonly Submission[]): void {
  for (const { id } of group) if (isGoing(id)) changeRow(id, { status: { at: 'submitting', isBusy: true } })
}

const takesAll = (page: string): boolean => findPage(page)?.tool.takes === 'all'

function accept(page: string, group: readonly Submission[], jobIds: readonly string[]): void {
  rememberJobs(page, jobIds)
  noteAccepted()
  void syncAccount()
  const [together] = jobIds
  if (together !== undefined && takesAll(page)) return acceptTogether(group, together)
  for (const [n, { id }] of group.entries()) {
    const jobId = jobIds[n]
    if (jobId === undefined) continue
    if (isGoing(id)) changeRow(id, { jobId, status: { at: 'queued', ahead: 0 } })
    else leave(jobId, [id])
  }
}

/** A job of rows that were called off while the call was under way ends; it goes with the row. One of a row that was taken away goes at once, its upload with it. */
function leave(jobId: string, ids: readonly string[]): void {
  const isGone = ids.some((id) => readRow(id) === undefined)
  tellServer(isGone ? deleteJob : cancelJob, jobId)
  for (const id of ids) changeRow(id, isGone && !isClient ? { key: undefined } : { jobId })
}

/** A file taken away while the call was under way is in the job all the same: the job has to go. */
function acceptTogether(group: readonly Submission[], jobId: string): void {
  const ids = group.map(({ id }) => id)
  const going = ids.filter(isGoing)
  if (going.length === ids.length) {
    for (const id of ids) changeRow(id, { jobId, status: { at: 'queued', ahead: 0 } })
    return
  }
  leave(jobId, ids)
  for (const id of going) {
    const row = readRow(id)
    if (row) changeRow(id, { status: { at: 'ready' }, ...withoutJob(row) })
  }
}

/** The server refuses a call when none of its files will do, and then tells of the first only: each asks for itself. */
function refuse(group: readonly Submission[], error: unknown): void {
  const failure = toWire(error)
  const isUsedUp = failure.code === 'quota.used-up'
  const isTogether = takesAll(group[0]?.page ?? '')
  if (isUsedUp) {
    noteUsedUp()
    void syncAccount()
  }
  if (failure.code === 'session.expired' && !isTogether) return startAgain(group)
  // A second file stays for as long as any file does, but the tab may be open for longer.
  if (failure.code === 'options.background-lost' && group[0]?.attachment?.isAgain === false) return attachAgain(group)
  const isOfAttachment = failure.code === 'options.background-lost' || failure.code === 'options.background-unreadable'
  if (isOfAttachment) tellAttachment(group[0]?.page ?? '', failure)
  // What is refused for want of credits is so for all, and so is what is wrong with their background.
  if (group.length > 1 && !isTogether && !isUsedUp && !isOfAttachment) {
    for (const one of group) void call([one])
    return
  }
  const isGone = failure.code === 'upload.missing'
  for (const { id } of group) changeRow(id, { status: { at: 'failed', error: failure }, ...(isGone && { key: undefined }) })
}
