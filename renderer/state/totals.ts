import { atom } from 'jotai'
import { staleAtom } from './redo.ts'
import { isActive, perPage, rowsAtom, type Output, type Row } from './rows.ts'

/** What a page's action bar sums up. Bytes of done files before and after. */
export interface Totals {
  readonly count: number
  readonly bytes: number
  readonly active: number
  readonly ready: number
  /** Done files that settings of now would change, for nothing. */
  readonly stale: number
  readonly done: number
  readonly failed: number
  /** Whether files were left undone because no credits were left. */
  readonly isQuotaUsedUp: boolean
  readonly doneBefore: number
  readonly doneAfter: number
}

const bytesOf = (things: readonly { readonly bytes: number }[]): number => things.reduce((total, { bytes }) => total + bytes, 0)

const isDone = ({ status }: Row): boolean => status.at === 'done'

/** Rows of one job share its results. */
const resultsOf = (rows: readonly Row[]): readonly Output[] =>
  [...new Map(rows.flatMap(({ id, jobId, status }) => (status.at === 'done' ? [[jobId ?? id, status.outputs]] : []))).values()].flat()

/** The results of a page's jobs, each once, kept up to date. */
export const resultsAtom = perPage((page) => atom((get) => resultsOf(get(rowsAtom(page)))))

/** The totals of a page, kept up to date. */
export const totalsAtom = perPage((page) =>
  atom((get): Totals => {
    const rows = get(rowsAtom(page))
    const done = rows.filter(isDone)
    return {
      count: rows.length,
      bytes: bytesOf(rows),
      active: rows.filter(isActive).length,
      ready: rows.filter(({ status }) => status.at === 'ready').length,
      stale: get(staleAtom(page)).length,
      done: done.length,
      failed: rows.filter(({ status }) => status.at === 'failed').length,
      isQuotaUsedUp: rows.some(({ status }) => status.at === 'failed' && status.error.code === 'quota.used-up'),
      doneBefore: bytesOf(done),
      doneAfter: bytesOf(resultsOf(done)),
    }
  }),
)
