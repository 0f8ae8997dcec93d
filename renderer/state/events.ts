import { JobFollower } from './job-follower.ts'
import { addRows, changeRow, readRow, rowOfJob, setThumbnail, type Row, type Status } from './rows.ts'
import { entered, sessionAtom } from './session.ts'
import { store } from './store.ts'
import { isSubmitting, onSettled } from './submit.ts'
import { inOrder, pageOfJob } from './tabs.ts'
import type { JobView } from '#shared/api/jobs'
import type { WireError } from '#shared/errors/app-error'

/** News of jobs no row here knows yet. */
const unknown = new Map<string, JobView>()

/** Follows the jobs of whoever this browser's session belongs to, also when that changes: in this tab or by a sign-in in another. */
export async function followJobs(): Promise<void> {
  onSettled(adopt)
  await entered()
  let identity: string | undefined
  let follower: JobFollower | undefined
  const follow = (): void => {
    const { loginID } = store.get(sessionAtom)
    if (loginID === identity) return
    identity = loginID
    follower?.leave()
    unknown.clear()
    follower = new JobFollower(identity, hear)
  }
  store.sub(sessionAtom, follow)
  follow()
}

function hear(view: JobView): void {
  const id = rowOfJob(view.id)
  if (id === undefined) {
    unknown.set(view.id, view)
    adopt()
    return
  }
  const row = readRow(id)
  // The row has gone on to another job, was cancelled here, or is off the page.
  if (!row || row.jobId !== view.id || row.status.at === 'cancelled') return
  // An expired job's upload went with it: a retry starts from the file.
  changeRow(id, { status: statusOf(view), ...(view.state === 'expired' && { key: undefined }) })
}

/** One after the other, so that rows come in the order of the jobs. */
let queue: Promise<void> = Promise.resolve()

/** Makes rows of jobs this tab has none for: its own from before a reload, and those of tabs that are gone. */
function adopt(): void {
  // The answer that ties a job to its row may still be on its way.
  if (isSubmitting() || unknown.size === 0) return
  const views = inOrder([...unknown.values()])
  unknown.clear()
  for (const view of views) {
    queue = queue.then(() => adoptOne(view))
  }
}

async function adoptOne(view: JobView): Promise<void> {
  // Earlier news of it made the row meanwhile.
  if (rowOfJob(view.id) !== undefined) return hear(view)
  if (view.state === 'expired' || view.state === 'cancelled') return
  const page = await pageOfJob(view.id)
  const [input] = view.inputs
  if (page === undefined || !input) return
  const [output] = view.outputs
  const row: Row = {
    id: crypto.randomUUID(),
    page,
    name: input.name,
    path: input.path,
    bytes: input.bytes,
    file: undefined,
    jobId: view.id,
    key: input.key,
    status: statusOf(view),
    options: undefined,
  }
  addRows(page, [row])
  setThumbnail(
    row.id,
    output ? { kind: 'picture', url: output.url, width: output.width ?? 0, height: output.height ?? 0 } : { kind: 'none' },
  )
}

function statusOf({ state, ahead, progress, outputs, note, error }: JobView): Status {
  const [output] = outputs
  switch (state) {
    case 'queued':
      return { at: 'queued', ahead }
    case 'running':
      return { at: 'running', fraction: progress }
    case 'done':
      return output ? { at: 'done', output, note } : { at: 'expired' }
    case 'failed':
      return { at: 'failed', error: (error ?? { code: 'internal', data: {} }) as WireError } // the server built it from the same table
    case 'cancelled':
      return { at: 'cancelled' }
    case 'expired':
      return { at: 'expired' }
  }
}
