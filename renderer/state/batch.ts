import { attachmentOf, tellAttachment } from './attachment.ts'
import { Bundle } from './bundle.ts'
import { askConsent, needsConsent } from './consent.ts'
import { enterLanes, stopUpload, submitTogether } from './hand-in.ts'
import { madeWith, startableAtom } from './redo.ts'
import { beginStart } from './offer.ts'
import {
  addRows,
  changeRow,
  dropRows,
  isActive,
  isGoing,
  newRow,
  readRow,
  rowsOf,
  rowsOfJob,
  setThumbnail,
  withoutJob,
  type Made,
  type Row,
} from './rows.ts'
import { makeThumbnail } from './thumbnails.ts'
import { changeSettings, checkedOptions, settingsAtom, type Options } from './settings.ts'
import { store } from './store.ts'
import { tellServer } from './tell-server.ts'
import { isClient } from '../platform/desktop.ts'
import { cancelJob, deleteJob } from '#shared/api/jobs'
import { AppError, toWire } from '#shared/errors/app-error'
import { findPage, needsAttachment } from '#shared/tools/index'

/** Rows of one page, at most. */
export const MAX_ROWS = 1000

/** A picked, dropped or pasted file, with the folder it came from. */
export interface Picked {
  readonly file: File
  readonly path: string | undefined
}

const isPdf = ({ name, type }: File): boolean => type === 'application/pdf' || /\.pdf$/i.test(name)

/** Puts files on a page; how many found no room. */
export function addFiles(page: string, picked: readonly Picked[]): number {
  if (picked.length > 0) keepOwnPages(page)
  const room = Math.max(0, MAX_ROWS - rowsOf(page).length)
  const rows = picked.slice(0, room).map(({ file, path }) => newRow({ page, name: file.name, path, bytes: file.size, file }))
  addRows(page, rows)
  if (isClient) void import('../client/grant-rows.ts').then(({ grantRows }) => grantRows(rows))
  const isOfPdfs = findPage(page)?.tool.section === 'pdf'
  for (const { id, file } of rows) {
    if (file && isOfPdfs && isPdf(file)) void import('./read-pdf.ts').then(({ readPdf }) => readPdf(id))
    else if (file) makeThumbnail(file, (thumbnail) => setThumbnail(id, thumbnail))
  }
  return picked.length - rows.length
}

/** A range of pages chosen for the only file is that file's, not the next one's. */
function keepOwnPages(page: string): void {
  const [only, another] = rowsOf(page)
  const common = store.get(settingsAtom(page))
  const { pages } = common
  if (!only || another || typeof pages !== 'string' || pages === '') return
  changeRow(only.id, { options: { pages, ...only.options } })
  changeSettings(page, { ...common, pages: '' })
}

/** Makes options those of a page and of all its files that are not under way; the page keeps its others. Throws AppError `options.*`. */
export function applyToAll(page: string, changed: Options): void {
  const options = { ...store.get(settingsAtom(page)), ...changed }
  checkedOptions(page, options)
  changeSettings(page, options)
  for (const row of rowsOf(page)) if (row.options && !isActive(row)) changeRow(row.id, { options: undefined })
}

/**
 * Starts the files of a page that are ready, and those that settings of now would change for nothing; where there are none, those that were called
 * off, else those that settings would change at their cost; with `ids`, those whatever became of them. Where that must be agreed to, nothing is started before. Throws AppError `options.*`.
 */
export function startRows(page: string, ids?: readonly string[]): void {
  const common = store.get(settingsAtom(page))
  const options = checkedOptions(page, common)
  if (findPage(page)?.tool.takes === 'all') return startTogether(page, options)
  const attachment = attachmentOf(page)
  const { ids: startable } = store.get(startableAtom(page))
  const started = rowsOf(page).flatMap((row, index) => {
    const isChosen = ids ? ids.includes(row.id) && !isActive(row) : startable.includes(row.id)
    if (!isChosen || (!row.file && !row.key)) return []
    return [{ id: row.id, place: index + 1, ...madeWith(page, { ...common, ...row.options }, attachment) }]
  })
  for (const one of started) checkAttachment(page, one)
  if (started.length > 0 && needsConsent(page)) return askConsent(() => startRows(page, ids))
  beginStart()
  for (const { id, made } of started) beginAgain(id, made)
  enterLanes(started.map(({ made, ...one }) => ({ ...one, ...(made.attachment && { attachment: made.attachment }) })))
}

function beginAgain(id: string, made?: Made): void {
  const row = readRow(id)
  if (row) changeRow(id, { status: { at: 'waiting' }, ...withoutJob(row), ...(made && { made }) })
}

/** Throws AppError `options.background-missing` where options call for a second file and none is chosen; told at its field too. */
function checkAttachment(page: string, { options, made }: { readonly options: Options; readonly made: Made }): void {
  const tool = findPage(page)?.tool
  if (!tool || made.attachment || !needsAttachment(tool.id, options)) return
  const error = new AppError('options.background-missing', tool.attachment ? { label: tool.attachment.label } : {})
  tellAttachment(page, toWire(error))
  throw error
}

/** Starts all rows of a page as one job, whatever became of them before. */
function startTogether(page: string, options: unknown): void {
  const rows = rowsOf(page)
  if (rows.length === 0 || rows.some(isActive)) return
  beginStart()
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
  for (const { id } of rows) beginAgain(id)
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
  if (gone.some(({ earlier }) => earlier.length > 0)) void import('./adopt.ts').then((part) => part.dropEarlier(gone))
  for (const jobId of jobIds) {
    const others = rowsOfJob(jobId)
    const isUnderWay = others.some(isActive)
    if (others.length === 0 || isUnderWay) tellServer(deleteJob, jobId)
    // Their job would have held the removed file; with it go uploads, but no file of this computer.
    if (!isUnderWay) continue
    for (const { id, file } of others)
      changeRow(id, { status: { at: file || isClient ? 'ready' : 'expired' }, jobId: undefined, ...(!isClient && { key: undefined }) })
  }
}

/** Takes every row off a page, as `removeRows` does. */
export function clearPage(page: string): void {
  removeRows(
    page,
    rowsOf(page).map(({ id }) => id),
  )
}
