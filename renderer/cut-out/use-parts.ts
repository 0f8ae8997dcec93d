import { useEffect, useState } from 'react'
import { loadParts, type Parts } from './parts.ts'
import type { Row } from '../state/rows.ts'
import { lacksSubject } from '../tools/row-actions.ts'

/** What has become of a row's parts. */
export type Loading =
  | { readonly at: 'loading' }
  | { readonly at: 'loaded'; readonly parts: Parts }
  /** There are none, or none any more. */
  | { readonly at: 'gone' }
  | { readonly at: 'failed' }

interface Known {
  /** Of which job, in which try. */
  readonly of: string
  readonly loading: Loading
}

/** The parts a row is worked on with; undefined where there can be none yet. */
export function useParts(row: Row): { readonly loading: Loading | undefined; readonly retry: () => void } {
  const [tries, setTries] = useState(0)
  const [known, setKnown] = useState<Known>()
  const canHave = row.status.at === 'done' || lacksSubject(row)
  const of = `${row.id} ${row.jobId} ${tries}`
  useEffect(() => {
    if (!canHave) return undefined
    const leaving = new AbortController()
    const settle = (loading: Loading): void => {
      if (!leaving.signal.aborted) setKnown({ of, loading })
    }
    loadParts(row, leaving.signal).then(
      (parts) => settle(parts ? { at: 'loaded', parts } : { at: 'gone' }),
      () => settle({ at: 'failed' }),
    )
    return () => leaving.abort()
    // A row that changes in anything but its job has the same parts.
  }, [canHave, of])
  const loading = known?.of === of ? known.loading : ({ at: 'loading' } as const)
  return { loading: canHave ? loading : undefined, retry: () => setTries(tries + 1) }
}
