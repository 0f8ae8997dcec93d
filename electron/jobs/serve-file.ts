import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { downloadHeaders, rangeOf } from '#shared/downloads'
import { formats, hasExtension, isFormatId, isShownByBrowsers } from '#shared/formats'
import { splitName } from '#shared/names'

const UNKNOWN = 'application/octet-stream'

/** A file of this computer, for the page. */
export interface ServedFile {
  readonly path: string
  readonly name: string
  /** What it is; by its name where left out. */
  readonly format?: string
}

/** A file's bytes, or the range that was asked for: never a page of the client's own, and shown where it stands only if it is a picture. */
export async function serveFile(request: Request, { path, name, format = formatOf(name) }: ServedFile): Promise<Response> {
  const { size } = await stat(path)
  const range = rangeOf(request.headers.get('range') ?? undefined, size)
  if (range === 'none') return new Response(null, { status: 416, headers: { 'content-range': `bytes */${size}` } })
  const { from, to } = range ?? { from: 0, to: size - 1 }
  const headers: Record<string, string> = {
    ...downloadHeaders(name, isFormatId(format) ? formats[format].mime : UNKNOWN),
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'accept-ranges': 'bytes',
    // It is here already, and may be changed by other programs.
    'cache-control': 'no-store',
    'content-length': String(to - from + 1),
    ...(range && { 'content-range': `bytes ${from}-${to}/${size}` }),
  }
  if (isShownByBrowsers(format))
    headers['content-disposition'] = headers['content-disposition']?.replace(/^attachment/, 'inline') ?? 'inline'
  const status = range ? 206 : 200
  if (request.method === 'HEAD' || size === 0) return new Response(null, { status, headers })
  const bytes = Readable.toWeb(createReadStream(path, { start: from, end: to })) as ReadableStream<Uint8Array> // Node's declaration leaves the chunks open; a file's are bytes
  return new Response(bytes, { status, headers })
}

const formatOf = (name: string): string => {
  const { extension } = splitName(name)
  return Object.keys(formats).find((id) => isFormatId(id) && hasExtension(id, extension)) ?? ''
}
