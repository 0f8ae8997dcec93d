import { rowsOf, type Output, type Row } from './rows.ts'
import { transport } from '../platform/http.ts'
import { save } from '../platform/save.ts'
import { messageOf } from '../words.ts'
import { zipJobs } from '#shared/api/jobs'
import { CONTROL_MS, send } from '#shared/api/send'
import { toWire } from '#shared/errors/app-error'

const BETWEEN_DOWNLOADS_MS = 400

/** Downloads all results of a page: one by itself, several as a zip. Throws an Error whose message is for the person. */
export async function downloadAll(page: string): Promise<void> {
  await download(rowsOf(page))
}

/** Downloads the results of some rows, as `downloadAll` does. */
export async function download(rows: readonly Row[]): Promise<void> {
  const done = new Map(rows.flatMap(({ jobId, status }) => (status.at === 'done' && jobId !== undefined ? [[jobId, status.outputs]] : [])))
  const outputs = [...done.values()].flat()
  // A zip of zips would have to be opened twice.
  if (outputs.length === 1 || outputs.every(({ format }) => format === 'zip')) return saveEach(outputs)
  try {
    const { ticket } = await send(transport, zipJobs, { ids: [...done.keys()] }, { deadlineMs: CONTROL_MS })
    save(`/api/jobs/zip/${ticket}`, '轻图.zip')
  } catch (error) {
    throw new Error(messageOf(toWire(error)), { cause: error })
  }
}

/** One after the other: a browser drops downloads that are asked for in the same moment. */
async function saveEach(outputs: readonly Output[]): Promise<void> {
  for (const [n, { url, name }] of outputs.entries()) {
    if (n > 0) await new Promise((resolve) => setTimeout(resolve, BETWEEN_DOWNLOADS_MS))
    save(url, name)
  }
}
