import { useEffect, useState } from 'react'
import type { Row } from '../state/rows.ts'

/** What has become of a row's parts. */
export type Loading<Parts = unknown> =
  | { readonly at: 'loading' }
  | { readonly at: 'loaded'; readonly parts: Parts }
  /** There are none, or none any more. */
  | { readonly at: 'gone' }
  | { readonly at: 'failed' }

interface Known<Parts> {
  /** Of which job, in which try. */
  readonly of: string
  readonly loading: Loading<Parts>
}

/** Loads a row's parts: undefined where there are none, or none any more. Throws where they couldn't be had just now. */
type Load<Parts> = (row: Row, signal: AbortSignal) => Promise<Parts | undefined>

/** The parts a row is worked on with; undefined where there can be none yet. */
export function useParts<Parts>(
  row: Row,
  canHave: boolean,
  load: Load<Parts>,
): { readonly loading: Loading<Parts> | undefined; readonly retry: () => void } {
  const [tries, setTries] = useState(0)
  const [known, setKnown] = useState<Known<Parts>>()
  const of = `${row.id} ${row.jobId} ${tries}`
  useEffect(() => {
    if (!canHave) return undefined
    const leaving = new AbortController()
    const settle = (loading: Loading<Parts>): void => {
      if (!leaving.signal.aborted) setKnown({ of, loading })
    }
    load(row, leaving.signal).then(
      (parts) => settle(parts ? { at: 'loaded', parts } : { at: 'gone' }),
      () => settle({ at: 'failed' }),
    )
    return () => leaving.abort()
    // A row that changes in anything but its job has the same parts.
  }, [canHave, of])
  const loading = known?.of === of ? known.loading : ({ at: 'loading' } as const)
  return { loading: canHave ? loading : undefined, retry: () => setTries(tries + 1) }
}
