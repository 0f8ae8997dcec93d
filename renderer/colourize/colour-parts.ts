import { addressesOf, download } from '../cut-out/parts.ts'
import type { Row } from '../state/rows.ts'

/** What a photo's colours are worked on with. */
export interface ColourParts {
  /** The photo in a screen's size. */
  readonly source: Blob
  /** The colours that were found; none where strokes alone say them. */
  readonly chroma: Blob | undefined
}

/** The parts of a row's job; undefined where there are none any more. Throws where they couldn't be had just now. */
export async function loadColourParts(row: Row, signal: AbortSignal): Promise<ColourParts | undefined> {
  const addresses = row.jobId === undefined ? undefined : await addressesOf(row.jobId)
  if (!addresses) return undefined
  const isFound = addresses.chroma !== undefined && row.made?.finding !== 'colours none'
  const [source, chroma] = await Promise.all([
    download(addresses.source, signal),
    isFound && addresses.chroma !== undefined ? download(addresses.chroma, signal) : undefined,
  ])
  return source && (chroma || !isFound) ? { source, chroma } : undefined
}
