import { syncAccount } from './account.ts'
import { JobFollower } from './job-follower.ts'
import { changeRow, giveUpJobs, hasJobsUnderWay, isKnownJob, rowsOfJob, type Status } from './rows.ts'
import { runningStatus } from './running.ts'
import { entered, sessionAtom } from './session.ts'
import { store } from './store.ts'
import { isSubmitting, onSettled } from './submit.ts'
import { inOrder } from './tabs.ts'
import { isClient } from '../platform/desktop.ts'
import type { JobView } from '#shared/api/jobs'
import type { WireError } from '#shared/errors/app-error'

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
  if (view.state === 'done' && rowsOfJob(view.id).some(({ earlier }) => earlier.length > 0))
    void import('./adopt.ts').then((part) => part.forgetEarlier(view))
  // Some were not counted after all.
  if (isEnd(view) && !hasJobsUnderWay()) void syncAccount()
}

const isEnd = ({ state }: JobView): boolean => state !== 'queued' && state !== 'running'

/** One after the other, so that rows come in the order of the jobs. Where the part for it did not come, the next news of the job ask for it again. */
let queue: Promise<void> = Promise.resolve()

/** Makes rows of jobs this tab has none for: its own from before a reload, and those of tabs that are gone. */
function adopt(): void {
  // The answer that ties a job to its row may still be on its way.
  if (isSubmitting() || unknown.size === 0) return
  for (const { id } of inOrder([...unknown.values()])) queue = queue.then(() => adoptOne(id)).catch(() => {})
}

async function adoptOne(jobId: string): Promise<void> {
  const { adoptJob } = await import('./adopt.ts')
  // The latest there is when its turn comes.
  const view = unknown.get(jobId)
  if (!view) return
  if (isKnownJob(jobId)) return hear(view)
  unknown.delete(jobId)
  if (view.state === 'expired' || view.state === 'cancelled') return
  await adoptJob(view, statusOf(view))
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
