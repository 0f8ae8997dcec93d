import { rowsOf } from './rows.ts'
import { transport } from '../platform/http.ts'
import { zipJobs } from '#shared/api/jobs'
import { CONTROL_MS, send } from '#shared/api/send'
import { messageOf, toWire } from '#shared/errors/app-error'

/** Downloads all results of a page: one by itself, several as a zip. Throws an Error whose message is for the person. */
export async function downloadAll(page: string): Promise<void> {
  const done = rowsOf(page).flatMap((row) =>
    row.status.at === 'done' && row.jobId !== undefined ? [{ id: row.jobId, output: row.status.output }] : [],
  )
  const [first] = done
  if (!first) return
  if (done.length === 1) return save(first.output.url, first.output.name)
  try {
    const { ticket } = await send(transport, zipJobs, { ids: done.map(({ id }) => id) }, { deadlineMs: CONTROL_MS })
    save(`/api/jobs/zip/${ticket}`, '轻图.zip')
  } catch (error) {
    throw new Error(messageOf(toWire(error)), { cause: error })
  }
}

function save(url: string, name: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}
