import { syncAccount } from './account.ts'
import { JobFollower } from './job-follower.ts'
import {
  addRows,
  allRows,
  changeRow,
  dropRows,
  giveUpJobs,
  hasJobsUnderWay,
  isActive,
  isKnownJob,
  newRow,
  rowsOfJob,
  setThumbnail,
  withoutJob,
  type Made,
  type Row,
  type Status,
  type Thumbnail,
} from './rows.ts'
import { madeNow } from './redo.ts'
import { runningStatus } from './running.ts'
import { entered, sessionAtom } from './session.ts'
import { settingsAtom } from './settings.ts'
import { store } from './store.ts'
import { isSubmitting, onSettled } from './submit.ts'
import { inOrder, pageOfJob } from './tabs.ts'
import { tellServer } from './tell-server.ts'
import { isClient } from '../platform/desktop.ts'
import { deleteJob, type JobView } from '#shared/api/jobs'
import type { WireError } from '#shared/errors/app-error'
import { isShownByBrowsers } from '#shared/formats'
import { pages } from '#shared/tools/index'

/** News of jobs no row here knows yet. */
const unknown = new Map<string, JobView>()

/** Follows the jobs of whoever this browser's session belongs to, also when that changes: in this tab or by a sign-in in another. */
export async function followJobs(): Promise<void> {
  onSettled(adopt)
  if (!isClient) await entered()
  let identity: string | undefined
  let follower: JobFollower | undefined
  const follow = (): void => {
    // What this computer has made is its owner's, whoever is signed in.
    const owner = isClient ? 'computer' : store.get(sessionAtom).loginID
    if (owner === identity) return
    if (identity !== undefined) giveUpJobs()
    identity = owner
    follower?.leave()
    unknown.clear()
    follower = new JobFollower(identity, hear, syncAccount, hasJobsUnderWay)
  }
  store.sub(sessionAtom, follow)
  follow()
}

function hear(view: JobView): void {
  unknown.delete(view.id)
  if (!isKnownJob(view.id)) {
    unknown.set(view.id, view)
    adopt()
    return
  }
  for (const row of rowsOfJob(view.id)) {
    // An expired job's upload went with it: a retry starts from the file.
    if (row.status.at !== 'cancelled')
      changeRow(row.id, { status: statusOf(view, row.status), ...(view.state === 'expired' && { key: undefined }) })
  }
  if (view.state === 'done') forgetEarlier(view)
  // Some were not counted after all.
  if (isEnd(view) && !hasJobsUnderWay()) void syncAccount()
}

/** Takes the jobs off the server that came before one that is done, save where they found what a later start takes for nothing and this one did not. */
function forgetEarlier({ id, parts }: JobView): void {
  const rows = rowsOfJob(id).filter(({ earlier, made }) => earlier.length > 0 && (parts !== undefined || made?.finding === undefined))
  for (const jobId of new Set(rows.flatMap(({ earlier }) => earlier))) tellServer(deleteJob, jobId)
  for (const row of rows) changeRow(row.id, { earlier: [] })
}

/** The row of a file whose last job this is, of those that came before a reload. */
const sameFile = ({ inputs: [input, another] }: JobView): Row | undefined =>
  input === undefined || another !== undefined || isClient ? undefined : allRows().find((row) => row.key === input.key && !isActive(row))

const isEnd = ({ state }: JobView): boolean => state !== 'queued' && state !== 'running'

/** One after the other, so that rows come in the order of the jobs. */
let queue: Promise<void> = Promise.resolve()

/** Makes rows of jobs this tab has none for: its own from before a reload, and those of tabs that are gone. */
function adopt(): void {
  // The answer that ties a job to its row may still be on its way.
  if (isSubmitting() || unknown.size === 0) return
  for (const { id } of inOrder([...unknown.values()])) queue = queue.then(() => adoptOne(id))
}

async function adoptOne(jobId: string): Promise<void> {
  // The latest there is when its turn comes.
  const view = unknown.get(jobId)
  if (!view) return
  if (isKnownJob(jobId)) return hear(view)
  unknown.delete(jobId)
  if (view.state === 'expired' || view.state === 'cancelled') return
  // Killed, the client loses what its page noted last; its jobs are nobody else's.
  const page = (await pageOfJob(view.id)) ?? (isClient ? pages.find(({ tool }) => tool.id === view.tool)?.page.path : undefined)
  if (page === undefined) return
  const status = statusOf(view)
  const same = sameFile(view)
  const earlier = same ? withoutJob(same).earlier : []
  if (same) dropRows(same.page, [same.id])
  const rows = view.inputs.map(({ name, path, bytes, key }) =>
    newRow({ page, name, path, bytes, file: same?.file, jobId: view.id, earlier, key, status, made: madeBefore(page) }),
  )
  addRows(page, rows)
  if (view.state === 'done') forgetEarlier(view)
  if (isClient) {
    const { showSources } = await import('../client/local-files.ts')
    return showSources(rows, () => thumbnailOf(view))
  }
  for (const { id } of rows) setThumbnail(id, thumbnailOf(view))
}

/** Jobs do not tell their options; those the page remembers are most likely theirs. */
const madeBefore = (page: string): Made | undefined => madeNow(page, store.get(settingsAtom(page)), undefined)

/** The source is gone from this tab: its result shows what it was, where a browser can show it. */
function thumbnailOf({ outputs: [output] }: JobView): Thumbnail {
  if (!output || !isShownByBrowsers(output.format)) return { kind: 'none' }
  return { kind: 'picture', url: output.url, width: output.width ?? 0, height: output.height ?? 0 }
}

function statusOf({ state, ahead, progress, step, outputs, note, parts, error }: JobView, before?: Status): Status {
  const [first, ...others] = outputs
  switch (state) {
    case 'queued':
      return { at: 'queued', ahead }
    case 'running':
      return runningStatus(before, progress, performance.now(), step)
    case 'done':
      return first ? { at: 'done', outputs: [first, ...others], note, parts } : { at: 'expired' }
    case 'failed':
      return { at: 'failed', error: (error ?? { code: 'internal', data: {} }) as WireError } // the server built it from the same table
    case 'cancelled':
      return { at: 'cancelled' }
    case 'expired':
      return { at: 'expired' }
  }
}
