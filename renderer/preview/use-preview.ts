import { useCallback, useEffect, useState } from 'react'
import { isPreviewed } from './previewed.ts'
import { readResult, type Preview } from './read-result.ts'
import type { Output } from '../state/rows.ts'
import { words } from '../words.ts'

/** A larger result is not fetched only to be looked at. */
const MAX_BYTES = 30 * 1024 ** 2

/** What came of a result: its preview, or why there is none. */
export type Shown = { readonly preview: Preview } | { readonly why: string; readonly canRetry: boolean }

async function fetchPreview({ bytes, format, url }: Output, signal: AbortSignal): Promise<Shown> {
  if (!isPreviewed(format) || bytes > MAX_BYTES) return { why: words.preview.tooLarge, canRetry: false }
  const answer = await fetch(url, { signal })
  if (!answer.ok) return { why: words.preview.failed, canRetry: true }
  return { preview: readResult(format, new Uint8Array(await answer.arrayBuffer())) }
}

const release = (shown: Shown | undefined): void => {
  if (shown && 'preview' in shown && 'pictures' in shown.preview) shown.preview.pictures.release()
}

/** A result as it is shown, fetched for as long as it is; undefined until it is there. */
export function usePreview(output: Output): readonly [shown: Shown | undefined, retry: () => void] {
  const [shown, setShown] = useState<Shown>()
  const [attempt, setAttempt] = useState(0)
  const { url } = output
  useEffect(() => {
    const end = new AbortController()
    let made: Shown | undefined
    const show = async (): Promise<void> => {
      made = await fetchPreview(output, end.signal).catch((): Shown => ({ why: words.preview.failed, canRetry: true }))
      if (end.signal.aborted) release(made)
      else setShown(made)
    }
    void show()
    return () => {
      end.abort()
      release(made)
      setShown(undefined)
    }
    // Its address says which result it is; news of the job bring other objects for the same.
  }, [url, attempt])
  return [shown, useCallback(() => setAttempt((count) => count + 1), [])]
}
