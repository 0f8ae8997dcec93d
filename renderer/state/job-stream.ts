import { transport } from '../platform/http.ts'
import { jobView, listJobs, type JobView } from '#shared/api/jobs'
import { CONTROL_MS, send } from '#shared/api/send'

const RETRY_MS = 5000

/** Where news of jobs go, and where they begin. */
export interface News {
  /** The number of the last change known. */
  readonly after: () => number
  /** `at` is the stream's number at this point. */
  readonly onJob: (view: JobView, at: number) => void
  /** Told with every sign of life. */
  readonly onBeat: () => void
}

/** Keeps a stream of this identity's news open, and returns what closes it. The browser reconnects by itself and resumes where it was cut. */
export function openJobStream({ after, onBeat, onJob }: News): () => void {
  let source: EventSource
  let timer: ReturnType<typeof setTimeout> | undefined
  const open = (): void => {
    source = new EventSource(`/api/jobs/events?after=${after()}`)
    source.addEventListener('heartbeat', onBeat)
    source.addEventListener('job', ({ data, lastEventId }) => {
      const parsed = jobView.safeParse(JSON.parse(String(data)))
      if (parsed.success) onJob(parsed.data, lastEventId === '' ? after() : Number(lastEventId))
    })
    source.addEventListener('error', () => {
      // Refused for good (the session is gone, too many streams): a new one after a while.
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(open, RETRY_MS)
    })
  }
  open()
  return () => {
    clearTimeout(timer)
    source.close()
  }
}

/** Jobs that changed after a number, in the order of their changes; `LISTED_JOBS` at most. Throws AppError as `send`. */
export const readChanges = (after: number): Promise<readonly JobView[]> =>
  send(transport, listJobs, undefined, { query: { after: String(after) }, deadlineMs: CONTROL_MS })
