import { atom, type PrimitiveAtom } from 'jotai'
import { store } from './store.ts'
import { isClient } from '../platform/desktop.ts'
import { newId } from '../platform/unsecured.ts'
import type { JobView } from '#shared/api/jobs'
import type { WireError } from '#shared/errors/app-error'

/** Where a row stands. The words for each are in text.ts. */
export type Status =
  | { readonly at: 'ready' }
  | { readonly at: 'waiting' }
  | { readonly at: 'uploading'; readonly fraction: number; readonly bytesPerSecond?: number }
  | { readonly at: 'paused' }
  /** `isBusy` while the server has no room for more jobs. */
  | { readonly at: 'submitting'; readonly isBusy?: boolean }
  | { readonly at: 'queued'; readonly ahead: number }
  /** First heard of at `sinceMs`, its fraction last changed at `movedMs`, both of `performance.now()`; `step` in words (`第 3/12 页`) where the server tells. */
  | { readonly at: 'running'; readonly fraction: number; readonly sinceMs: number; readonly movedMs: number; readonly step?: string }
  /** `parts`: what an editor works on, where the job left any. */
  | {
      readonly at: 'done'
      readonly outputs: readonly [Output, ...Output[]]
      readonly note: JobView['note']
      readonly parts: JobView['parts']
    }
  | { readonly at: 'failed'; readonly error: WireError }
  | { readonly at: 'cancelled' }
  | { readonly at: 'expired' }

/** A result as a row shows it. */
export type Output = JobView['outputs'][number]

/** One file on one page. `file` is gone after a reload; the job lives on. */
export interface Row {
  readonly id: string
  readonly page: string
  readonly name: string
  /** The folder it was picked from. */
  readonly path: string | undefined
  readonly bytes: number
  readonly file: File | undefined
  readonly jobId: string | undefined
  /** Jobs of this file that it was started in before: on the server for as long as nothing has come of the last. */
  readonly earlier: readonly string[]
  /** Where the upload lies, so that a retry need not repeat it. */
  readonly key: string | undefined
  readonly status: Status
  /** Settings of this file alone; the page's for those that are not here. */
  readonly options: Readonly<Record<string, unknown>> | undefined
  /** What it was last started with. */
  readonly made: Made | undefined
}

/** A row as it begins, with an id of its own. */
export const newRow = (told: Pick<Row, 'page' | 'name' | 'path' | 'bytes'> & Partial<Row>): Row => ({
  id: newId(),
  file: undefined,
  jobId: undefined,
  earlier: [],
  key: undefined,
  status: { at: 'ready' },
  options: undefined,
  made: undefined,
  ...told,
})

/** What a result was made with. */
export interface Made {
  /** Checked options, as JSON. */
  readonly text: string
  /** What was found out first, where another start can take it for nothing: `person` of a cut-out, `colours model` of a photo. */
  readonly finding: string | undefined
  readonly attachment: File | undefined
}

/** What a PDF turned out to be when this page looked into it; `error` is what a job would fail with. */
export interface PdfFacts {
  readonly pages?: number
  readonly error?: WireError
}

/** A row's small picture: not looked at yet, none to be had, or an object URL with the picture's sides in pixels (0 for a page of a PDF). */
export type Thumbnail =
  | { readonly kind: 'pending' }
  | { readonly kind: 'none'; readonly pdf?: PdfFacts }
  | { readonly kind: 'picture'; readonly url: string; readonly width: number; readonly height: number; readonly pdf?: PdfFacts }

/** What is known of a row's PDF. */
export const pdfFacts = (thumbnail: Thumbnail): PdfFacts => (thumbnail.kind === 'pending' ? {} : (thumbnail.pdf ?? {}))

const rowAtoms = new Map<string, PrimitiveAtom<Row>>()
/** Apart from the rows: a thousand pictures coming in are no reason to sum the rows up a thousand times. */
const thumbnailAtoms = new Map<string, PrimitiveAtom<Thumbnail>>()
/** One row a job, or several where a tool takes all files together. */
const idsByJob = new Map<string, readonly string[]>()

/** One atom a page, made when it is first asked for. */
export function perPage<A>(make: (page: string) => A): (page: string) => A {
  const made = new Map<string, A>()
  return (page) => {
    const known = made.get(page) ?? make(page)
    made.set(page, known)
    return known
  }
}

/** The rows of a page, by id, in the order they came. */
export const listAtom = perPage(() => atom<readonly string[]>([]))

/** The rows of a page themselves, kept up to date. */
export const rowsAtom = perPage((page) =>
  atom((get) =>
    get(listAtom(page)).flatMap((id): readonly Row[] => {
      const known = rowAtoms.get(id)
      return known ? [get(known)] : []
    }),
  ),
)

/** One row. Throws for an id that is no row's. */
export function rowAtom(id: string): PrimitiveAtom<Row> {
  const known = rowAtoms.get(id)
  if (!known) throw new RangeError(`no row ${id}`)
  return known
}

let told = (): void => {}

/** Sets what is told whenever a row came, changed or went. */
export const onRowsChanged = (tell: () => void): void => void (told = tell)

/** The rows of all pages. */
export const allRows = (): readonly Row[] => [...rowAtoms.values()].map((known) => store.get(known))

/** A row's small picture, pending until `setThumbnail` says otherwise. */
export function thumbnailAtom(id: string): PrimitiveAtom<Thumbnail> {
  const known = thumbnailAtoms.get(id)
  if (known) return known
  const made = atom<Thumbnail>({ kind: 'pending' })
  thumbnailAtoms.set(id, made)
  return made
}

/** Sets a row's small picture, unless the row was removed meanwhile. */
export function setThumbnail(id: string, thumbnail: Thumbnail): void {
  if (!rowAtoms.has(id)) return release(thumbnail)
  release(store.get(thumbnailAtom(id)))
  store.set(thumbnailAtom(id), thumbnail)
}

const release = (thumbnail: Thumbnail): void => {
  if (thumbnail.kind === 'picture') URL.revokeObjectURL(thumbnail.url)
}

export const readRow = (id: string): Row | undefined => {
  const known = rowAtoms.get(id)
  return known && store.get(known)
}

/** Changes a row, unless it was removed meanwhile. */
export function changeRow(id: string, change: Partial<Row>): void {
  const known = rowAtoms.get(id)
  if (!known) return
  store.set(known, { ...store.get(known), ...change })
  if (change.jobId !== undefined) tie(change.jobId, id)
  told()
}

const tie = (jobId: string, id: string): void => {
  const known = idsByJob.get(jobId) ?? []
  if (!known.includes(id)) idsByJob.set(jobId, [...known, id])
}

/** The rows of a job; one that has gone on to another job or is off its page is none of them. */
export const rowsOfJob = (jobId: string): readonly Row[] =>
  (idsByJob.get(jobId) ?? []).flatMap((id) => {
    const row = readRow(id)
    return row?.jobId === jobId ? [row] : []
  })

/** A row whose job is over for it, as another takes its place. What a client has made stays where it is. */
export const withoutJob = ({ jobId, earlier }: Row): Pick<Row, 'jobId' | 'earlier'> => ({
  jobId: undefined,
  earlier: jobId === undefined || isClient ? earlier : [...earlier, jobId],
})

/** Whether a job has, or had, a row here. */
export const isKnownJob = (jobId: string): boolean => idsByJob.has(jobId)

export function addRows(page: string, rows: readonly Row[]): void {
  for (const row of rows) {
    rowAtoms.set(row.id, atom(row))
    if (row.jobId !== undefined) tie(row.jobId, row.id)
  }
  const list = listAtom(page)
  store.set(list, [...store.get(list), ...rows.map(({ id }) => id)])
  told()
}

export function dropRows(page: string, ids: readonly string[]): void {
  const gone = new Set(ids)
  const list = listAtom(page)
  store.set(
    list,
    store.get(list).filter((id) => !gone.has(id)),
  )
  for (const id of ids) {
    release(store.get(thumbnailAtom(id)))
    thumbnailAtoms.delete(id)
    rowAtoms.delete(id)
  }
  told()
}

/** Forgets where uploads lie: another identity has none of them. */
export function forgetUploads(): void {
  for (const known of rowAtoms.values()) if (store.get(known).key !== undefined) store.set(known, { ...store.get(known), key: undefined })
}

/** Whether there is a file on any page. */
export const hasRows = (): boolean => rowAtoms.size > 0

export const rowsOf = (page: string): readonly Row[] => store.get(listAtom(page)).flatMap((id) => readRow(id) ?? [])

export const isActive = ({ status: { at } }: Row): boolean =>
  at === 'waiting' || at === 'uploading' || at === 'paused' || at === 'submitting' || at === 'queued' || at === 'running'

/** Whether a row is on its page still and under way. */
export const isGoing = (id: string): boolean => {
  const row = readRow(id)
  return row !== undefined && isActive(row)
}

const isUnderWay = ({ status: { at } }: Row): boolean => at === 'queued' || at === 'running'

/** Whether a row of any page is with the server. */
export const hasJobsUnderWay = (): boolean => allRows().some(isUnderWay)

/** Gives up the rows whose jobs and results are those of an identity that is no longer this browser's. Should it come back, so do news of them. */
export function giveUpJobs(): void {
  for (const known of rowAtoms.values()) {
    const row = store.get(known)
    if (isUnderWay(row) || row.status.at === 'done')
      store.set(known, { ...row, status: { at: 'failed', error: { code: 'session.expired', data: {} } } })
  }
}
