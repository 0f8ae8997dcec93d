import { BILL_MS, MOST_BILL_BYTES } from './provider.ts'

/** The bytes at an address, which leads nowhere else. Throws when they take too long or are too many. */
export async function download(address: URL): Promise<Buffer> {
  const response = await fetch(address, { signal: AbortSignal.timeout(BILL_MS), redirect: 'error' })
  if (!response.ok || !response.body) throw new Error(`no bill: ${response.status}`)
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of response.body) {
    bytes += piece.length
    if (bytes > MOST_BILL_BYTES) throw new Error('the bill is too large')
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
