import { addRows, changeRow, dropRows, isActive, readRow, rowsOf, setThumbnail, type Row } from './rows.ts'
import { whenOnline } from './network.ts'
import { makeThumbnail } from './thumbnails.ts'
import { submit } from './submit.ts'
import { settingsAtom, type Options } from './settings.ts'
import { store } from './store.ts'
import { tellServer } from './tell-server.ts'
import { Upload } from '../platform/storage.ts'
import { cancelJob, deleteJob, MAX_FILE_BYTES, MAX_STORED_BYTES } from '#shared/api/jobs'
import { AppError, toWire } from '#shared/errors/app-error'
import { findPage, parseOptions } from '#shared/tools/index'

/** Rows of one page, at most. */
export const MAX_ROWS = 1000
const LANES = 3
const RETRIES = 5

/** A picked, dropped or pasted file, with the folder it came from. */
export interface Picked {
  readonly file: File
  readonly path: string | undefined
}

const uploads = new Map<string, Upload>()
const waiting: { id: string; options: unknown }[] = []
let lanes = 0

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
export function checkedOptions(page: string, options: Options): unknown {
  const found = findPage(page)
  if (!found) throw new RangeError(`no page ${page}`)
  return parseOptions(found.tool.id, options)
}

/** Starts every file of a page that is ready; with `ids`, those again whatever became of them. */
export function startRows(page: string, ids?: readonly string[]): void {
  const options = checkedOptions(page, store.get(settingsAtom(page)))
  const chosen = rowsOf(page).filter((row) => (ids ? ids.includes(row.id) && !isActive(row) : row.status.at === 'ready'))
  for (const { id, file, key, options: own } of chosen) {
    if (!file && !key) continue
    changeRow(id, { status: { at: 'waiting' }, jobId: undefined })
    waiting.push({ id, options: own ? checkedOptions(page, own) : options })
  }
  fillLanes()
}

function fillLanes(): void {
  while (lanes < LANES) {
    const next = waiting.shift()
    if (!next) return
    if (readRow(next.id)?.status.at !== 'waiting') continue
    lanes += 1
    void carry(next.id, next.options).finally(() => {
      lanes -= 1
      fillLanes()
    })
  }
}

/** Uploads a row's file, unless that was done, and hands it in. A cut is waited out; the upload goes on where it stopped. */
async function carry(id: string, options: unknown): Promise<void> {
  const row = readRow(id)
  if (!row) return
  try {
    const key = row.key ?? (row.file && (await uploadFile(id, row.file)))
    if (!key || !isGoing(id)) return
    changeRow(id, { key, status: { at: 'submitting' } })
    submit({ id, page: row.page, options, input: { key, name: row.name, ...(row.path !== undefined && { path: row.path }) } })
  } catch (error) {
    if (isGoing(id))
      changeRow(id, { status: { at: 'failed', error: toWire(error instanceof AppError ? error : new AppError('network.offline', {})) } })
  }
}

const isGoing = (id: string): boolean => {
  const row = readRow(id)
  return row !== undefined && isActive(row)
}

async function uploadFile(id: string, file: File): Promise<string | undefined> {
  const upload = new Upload(file, (fraction) => {
    if (isGoing(id)) changeRow(id, { status: { at: 'uploading', fraction } })
  })
  uploads.set(id, upload)
  try {
    for (let attempt = 0; ; attempt++) {
      try {
        if (isGoing(id)) changeRow(id, { status: { at: 'uploading', fraction: 0 } })
        return await upload.run()
      } catch (error) {
        if (!isGoing(id)) return undefined
        if (error instanceof AppError && error.code !== 'network.offline') throw error
        const refusal = refusalOf(error)
        if (refusal) throw refusal
        if (attempt >= RETRIES && navigator.onLine) throw error
        changeRow(id, { status: { at: 'paused' } })
        await whenOnline()
        // A cut now and then is no reason to give up; five in a row while the network is there are.
        if (!navigator.onLine) attempt = 0
      }
    }
  } finally {
    uploads.delete(id)
  }
}

/** What the storage refuses for good, in our words. */
function refusalOf(error: unknown): AppError | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  if (code === 'EntityTooLarge') return new AppError('file.too-large', { limitBytes: MAX_FILE_BYTES })
  if (code === 'QuotaExceeded') return new AppError('storage.quota', { limitBytes: MAX_STORED_BYTES })
  if (code === 'StorageFull') return new AppError('storage.full', {})
  return undefined
}

/** Ends what a row does here, its upload above all; whether it did anything. */
function halt(row: Row): boolean {
  if (!isActive(row)) return false
  changeRow(row.id, { status: { at: 'cancelled' } })
  uploads.get(row.id)?.stop()
  return true
}

/** Ends a row's upload or job; the row stays. */
export function cancelRow(id: string): void {
  const row = readRow(id)
  if (row && halt(row) && row.jobId) tellServer(cancelJob, row.jobId)
}

export function cancelAll(page: string): void {
  for (const row of rowsOf(page)) cancelRow(row.id)
}

/** Takes rows off a page and their files off the server, at once. */
export function removeRows(page: string, ids: readonly string[]): void {
  for (const id of ids) {
    const row = readRow(id)
    if (!row) continue
    halt(row)
    if (row.jobId) tellServer(deleteJob, row.jobId)
  }
  dropRows(page, ids)
}

/** Takes every row off a page, as `removeRows` does. */
export function clearPage(page: string): void {
  removeRows(
    page,
    rowsOf(page).map(({ id }) => id),
  )
}
