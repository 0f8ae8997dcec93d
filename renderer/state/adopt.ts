import { allRows, addRows, changeRow, dropRows, isActive, newRow, rowsOfJob, setThumbnail, withoutJob } from './rows.ts'
import type { Made, Row, Status, Thumbnail } from './rows.ts'
import { madeNow } from './redo.ts'
import { settingsAtom } from './settings.ts'
import { store } from './store.ts'
import { pageOfJob } from './tabs.ts'
import { tellServer } from './tell-server.ts'
import { isClient } from '../platform/desktop.ts'
import { deleteJob, type JobView } from '#shared/api/jobs'
import { isShownByBrowsers } from '#shared/formats'
import { pages } from '#shared/tools/index'

/*
 * Rows and jobs that are not of one start: rows for jobs from before a reload, and jobs of a file that it was started in before its last. Nothing
 * of it is needed by a page that is new.
 */

/** Makes rows of a job this tab has none for, on the page that it belongs to. */
export async function adoptJob(view: JobView, status: Status): Promise<void> {
  // Killed, the client loses what its page noted last; its jobs are nobody else's.
  const page = (await pageOfJob(view.id)) ?? (isClient ? pages.find(({ tool }) => tool.id === view.tool)?.page.path : undefined)
  if (page === undefined) return
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

/** The row of a file whose last job this is, of those that came before a reload. */
const sameFile = ({ inputs: [input, another] }: JobView): Row | undefined =>
  input === undefined || another !== undefined || isClient ? undefined : allRows().find((row) => row.key === input.key && !isActive(row))

/** Jobs do not tell their options; those the page remembers are most likely theirs. */
const madeBefore = (page: string): Made | undefined => madeNow(page, store.get(settingsAtom(page)), undefined)

/** The source is gone from this tab: its result shows what it was, where a browser can show it. */
function thumbnailOf({ outputs: [output] }: JobView): Thumbnail {
  if (!output || !isShownByBrowsers(output.format)) return { kind: 'none' }
  return { kind: 'picture', url: output.url, width: output.width ?? 0, height: output.height ?? 0 }
}

/** Takes earlier jobs of rows that are gone off the server. Uploads that no other job works on go with them: rows that shared one begin with their file again. */
export function dropEarlier(gone: readonly Row[]): void {
  const jobIds = new Set(gone.flatMap(({ earlier }) => earlier))
  for (const jobId of jobIds) tellServer(deleteJob, jobId)
  for (const { id, jobId, earlier } of allRows())
    if (earlier.some((one) => jobIds.has(one)))
      changeRow(id, { earlier: earlier.filter((one) => !jobIds.has(one)), ...(jobId === undefined && { key: undefined }) })
}

/** Takes the jobs off the server that came before one that is done, save where they found what a later start takes for nothing and this one did not. */
export function forgetEarlier({ id, parts }: Pick<JobView, 'id' | 'parts'>): void {
  const rows = rowsOfJob(id).filter(({ earlier, made }) => earlier.length > 0 && (parts !== undefined || made?.finding === undefined))
  for (const jobId of new Set(rows.flatMap(({ earlier }) => earlier))) tellServer(deleteJob, jobId)
  for (const row of rows) changeRow(row.id, { earlier: [] })
}
