import { forgetAttachment, uploadAttachment } from './attachment-upload.ts'
import type { Bundle } from './bundle.ts'
import { allRows, changeRow, isGoing, readRow, type Row } from './rows.ts'
import { onAttachmentLost, onSessionOver, submit, type Submission } from './submit.ts'
import { uploadRow } from './upload-file.ts'
import { isClient } from '../platform/desktop.ts'
import { AppError, toWire } from '#shared/errors/app-error'

export { submitTogether } from './submit.ts'
export { stopUpload } from './upload-file.ts'

const LANES = 3

/** A row that waits for its upload; in a bundle where its tool takes all files together. */
export interface Waiting {
  readonly id: string
  readonly options: unknown
  /** Among its page's rows, from 1, as they were when it was started. */
  readonly place?: number
  readonly bundle?: Bundle
  /** The second file its options call for. */
  readonly attachment?: File
  /** That file was lost on the server once. */
  readonly isAgain?: boolean
}

const waiting: Waiting[] = []
let lanes = 0

const NOT_HANDED_IN: ReadonlySet<Row['status']['at']> = new Set(['waiting', 'uploading', 'paused', 'submitting'])

// What is on the server goes on without the page; what is not would be lost with it.
if (!isClient)
  window.addEventListener('beforeunload', (event) => {
    if (allRows().some(({ status }) => NOT_HANDED_IN.has(status.at))) event.preventDefault()
  })

/** Has rows uploaded and handed in, three at a time, after those that came before. */
export function enterLanes(rows: readonly Waiting[]): void {
  waiting.push(...rows)
  fillLanes()
}

/** Rows that were handed in and have to be once more: from their upload on where `key` is taken from them. */
function takeBack(files: readonly Submission[], changed: { readonly key?: undefined }, isAgain: boolean): void {
  const going = files.filter(({ id }) => isGoing(id))
  for (const { id } of going) changeRow(id, { ...changed, status: { at: 'waiting' } })
  enterLanes(
    going.map(({ id, options, input: { place }, attachment }) => ({
      id,
      options,
      isAgain,
      ...(place !== undefined && { place }),
      ...(attachment && { attachment: attachment.file }),
    })),
  )
}

onSessionOver((files) => takeBack(files, { key: undefined }, false))

onAttachmentLost((files) => {
  for (const { attachment } of files) if (attachment) forgetAttachment(attachment.file)
  takeBack(files, {}, true)
})

function fillLanes(): void {
  while (lanes < LANES) {
    const next = waiting.shift()
    if (!next) return
    if (readRow(next.id)?.status.at !== 'waiting') {
      next.bundle?.leave(next.id)
      continue
    }
    lanes += 1
    void carry(next).finally(() => {
      lanes -= 1
      fillLanes()
    })
  }
}

/** Uploads a row's file, unless that was done, and hands it in. A cut is waited out; the upload goes on where it stopped. */
async function carry(one: Waiting): Promise<void> {
  const { id, bundle } = one
  try {
    const file = await uploaded(one)
    if (!file) return bundle?.leave(id)
    if (bundle) bundle.arrive(file)
    else submit(file)
  } catch (error) {
    if (!isGoing(id)) return bundle?.leave(id)
    changeRow(id, { status: { at: 'failed', error: toWire(error instanceof AppError ? error : new AppError('network.offline', {})) } })
    bundle?.fail(id)
  }
}

/** What a row hands in once its files are up; nothing for one that was ended meanwhile. */
async function uploaded({ id, options, place, attachment, isAgain = false }: Waiting): Promise<Submission | undefined> {
  const row = readRow(id)
  if (!row) return undefined
  const { page, name, path, file } = row
  const second = attachment && uploadAttachment(page, attachment)
  const [key, secondKey] = await Promise.all([row.key ?? (file && uploadRow(id, file)), second])
  if (!isGoing(id)) return undefined
  if (key === undefined || (second && secondKey === undefined)) throw new AppError('upload.missing', {})
  changeRow(id, { key, status: { at: 'submitting' } })
  return {
    id,
    page,
    options,
    input: { key, name, ...(path !== undefined && { path }), ...(place !== undefined && { place }) },
    ...(attachment && secondKey !== undefined && { attachment: { file: attachment, key: secondKey, isAgain } }),
  }
}
