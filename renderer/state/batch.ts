import { attachmentOf, tellAttachment } from './attachment.ts'
import { Bundle } from './bundle.ts'
import { enterLanes, type Waiting } from './lanes.ts'
import { beginStart } from './offer.ts'
import { addRows, changeRow, dropRows, isActive, isGoing, readRow, rowsOf, rowsOfJob, setThumbnail, type Row } from './rows.ts'
import { makeThumbnail } from './thumbnails.ts'
import { submitTogether } from './submit.ts'
import { changeSettings, settingsAtom, type Options } from './settings.ts'
import { store } from './store.ts'
import { stopUpload } from './upload-file.ts'
import { tellServer } from './tell-server.ts'
import { cancelJob, deleteJob } from '#shared/api/jobs'
import { AppError, toWire } from '#shared/errors/app-error'
import { findPage, needsAttachment, parseOptions } from '#shared/tools/index'

/** Rows of one page, at most. */
export const MAX_ROWS = 1000

/** A picked, dropped or pasted file, with the folder it came from. */
export interface Picked {
  readonly file: File
  readonly path: string | undefined
}

/** Puts files on a page; how many found no room. */
export function addFiles(page: string, picked: readonly Picked[]): number {
  const room = Math.max(0, MAX_ROWS - rowsOf(page).length)
  const rows = picked.slice(0, room).map(({ file, path }): Row => ({
    id: crypto.randomUUID(),
    page,
    name: file.name,
    path,
    bytes: file.size,
    file,
    jobId: undefined,
    key: undefined,
    status: { at: 'ready' },
    options: undefined,
  }))
  addRows(page, rows)
  for (const { id, file } of rows) if (file) makeThumbnail(file, (thumbnail) => setThumbnail(id, thumbnail))
  return picked.length - rows.length
}

/** A form's options, checked. Throws AppError `options.*`. */
export function checkedOptions(page: string, options: Options): Options {
  const found = findPage(page)
  if (!found) throw new RangeError(`no page ${page}`)
  return { ...parseOptions(found.tool.id, options) }
}

/** Makes options those of a page and of all its files that are not under way; the page keeps its others. Throws AppError `options.*`. */
export function applyToAll(page: string, changed: Options): void {
  const options = { ...store.get(settingsAtom(page)), ...changed }
  checkedOptions(page, options)
  changeSettings(page, options)
  for (const row of rowsOf(page)) if (row.options && !isActive(row)) changeRow(row.id, { options: undefined })
}

/** Starts every file of a page that is ready; with `ids`, those again whatever became of them. Throws AppError `options.*`. */
export function startRows(page: string, ids?: readonly string[]): void {
  beginStart()
  const common = store.get(settingsAtom(page))
  const options = checkedOptions(page, common)
  if (findPage(page)?.tool.takes === 'all') return startTogether(page, options)
  const started = rowsOf(page).flatMap((row, index): Waiting[] => {
    const isChosen = ids ? ids.includes(row.id) && !isActive(row) : row.status.at === 'ready'
    if (!isChosen || (!row.file && !row.key)) return []
    const own = row.options ? checkedOptions(page, { ...common, ...row.options }) : options
    return [{ id: row.id, options: own, place: index + 1, ...attachedTo(page, own) }]
  })
  for (const { id } of started) changeRow(id, { status: { at: 'waiting' }, jobId: undefined })
  enterLanes(started)
}

/** The page's second file where options call for it. Throws AppError `options.background-missing` where none is chosen. */
function attachedTo(page: string, options: Options): { readonly attachment?: File } {
  const tool = findPage(page)?.tool
  if (!tool || !needsAttachment(tool.id, options)) return {}
  const attachment = attachmentOf(page)
  if (attachment) return { attachment }
  const error = new AppError('options.background-missing', {})
  tellAttachment(page, toWire(error))
  throw error
}

/** Starts all rows of a page as one job, whatever became of them before. */
function startTogether(page: string, options: unknown): void {
  const rows = rowsOf(page)
  if (rows.length === 0 || rows.some(isActive)) return
  // A result that lacks one of the files must not look like a whole one.
  if (rows.some(({ file, key }) => !file && !key)) throw new AppError('upload.missing', {})
  const bundle = new Bundle(
    rows.map(({ id }) => id),
    (files, hasFailed) => {
      const going = files.filter(({ id }) => isGoing(id))
      if (!hasFailed) return submitTogether(going)
      for (const { id } of going) changeRow(id, { status: { at: 'ready' } })
    },
  )
  for (const { id } of rows) changeRow(id, { status: { at: 'waiting' }, jobId: undefined })
  enterLanes(rows.map(({ id }) => ({ id, options, bundle })))
}

/** Ends what a row does here, its upload above all; whether it did anything. */
function halt(row: Row): boolean {
  if (!isActive(row)) return false
  changeRow(row.id, { status: { at: 'cancelled' } })
  stopUpload(row.id)
  return true
}

/** Ends a row's upload or job; the row stays. */
export function cancelRow(id: string): void {
  const row = readRow(id)
  if (row) cancel([row])
}

export function cancelAll(page: string): void {
  cancel(rowsOf(page))
}

function cancel(rows: readonly Row[]): void {
  const halted = rows.filter(halt)
  for (const jobId of new Set(halted.flatMap((row) => row.jobId ?? []))) tellServer(cancelJob, jobId)
}

/** Takes rows off a page and their files off the server, at once; what several rows share goes with the last of them. */
export function removeRows(page: string, ids: readonly string[]): void {
  const gone = ids.flatMap((id) => readRow(id) ?? [])
  for (const row of gone) halt(row)
  const jobIds = new Set(gone.flatMap((row) => row.jobId ?? []))
  dropRows(page, ids)
  for (const jobId of jobIds) {
    const others = rowsOfJob(jobId)
    const isUnderWay = others.some(isActive)
    if (others.length === 0 || isUnderWay) tellServer(deleteJob, jobId)
    // Their job would have held the removed file.
    if (isUnderWay)
      for (const { id, file } of others) changeRow(id, { status: { at: file ? 'ready' : 'expired' }, jobId: undefined, key: undefined })
  }
}

/** Takes every row off a page, as `removeRows` does. */
export function clearPage(page: string): void {
  removeRows(
    page,
    rowsOf(page).map(({ id }) => id),
  )
}
