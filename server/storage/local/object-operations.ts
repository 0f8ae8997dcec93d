import { pipeline } from 'node:stream/promises'
import { admit, document, factsOf, numberIn, reply, replyXml, requireKey, type Call } from './call.ts'
import { isObjectKey } from './object-key.ts'
import { OssError } from './oss-error.ts'
import type { StoredFile } from './stored-file.ts'
import { parseXml, textOf, type Field } from './xml.ts'

const MOST_AT_ONCE = 1000

export async function putObject(call: Call): Promise<void> {
  const { disk, objects, target } = call
  const body = await admit(call)
  const { etag } = await disk.write(
    body.chunks(),
    () => factsOf(call, body.finish()),
    (temp) => disk.place(temp, objects.pathOf(target.key)),
  )
  reply(call, 200, { etag: `"${etag}"` })
}

const noSuchKey = (): OssError => new OssError('NoSuchKey', 'The specified key does not exist.')

/** The headers of an answer a signed URL asks for. The URL is signed by us, yet may hold what no header can. */
function askedHeaders({ target, by }: Call): Record<string, string> {
  const asked = [...target.query].filter(([name]) => name.startsWith('response-'))
  if (asked.length > 0 && by !== 'query') throw new OssError('InvalidRequest', 'response-* is for signed URLs.')
  if (asked.some(([, value]) => !/^[\t\x20-\x7e]*$/.test(value))) throw new OssError('InvalidArgument', 'A response-* value is no header.')
  return Object.fromEntries(asked.map(([name, value]) => [name.slice('response-'.length), value]))
}

/**
 * Objects come from people and are served from the site's own origin: never sniffed, downloaded unless signed otherwise, and
 * without scripts or an origin even then.
 */
function headersOf(call: Call, { facts }: StoredFile): Record<string, string> {
  return {
    ...facts.meta,
    'content-type': facts.contentType,
    'content-disposition': 'attachment',
    'cache-control': 'private, no-cache',
    ...askedHeaders(call),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-oss-object-type': facts.uploadId === undefined ? 'Normal' : 'Multipart',
    'accept-ranges': 'bytes',
    'last-modified': new Date(facts.modifiedMs).toUTCString(),
    etag: `"${facts.etag}"`,
  }
}

interface Range {
  readonly from: number
  readonly to: number
}

/** The one range asked for, or undefined for the whole: without one, with several, or of another version. Throws InvalidRange. */
function rangeOf({ request: { headers } }: Call, { facts, bytes }: StoredFile): Range | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.range ?? '') ?? []
  const condition = headers['if-range']
  const isOther = condition !== undefined && condition !== `"${facts.etag}"` && condition !== new Date(facts.modifiedMs).toUTCString()
  if ((first === '' && last === '') || isOther) return undefined
  const from = first === '' ? Math.max(0, bytes - Number(last)) : Number(first)
  const to = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)
  if (from > to) throw new OssError('InvalidRange', 'The requested range cannot be satisfied.')
  return { from, to }
}

export async function getObject(call: Call): Promise<void> {
  const { objects, target, response, limits } = call
  const stored = await objects.open(target.key)
  if (!stored) throw noSuchKey()
  try {
    const headers = headersOf(call, stored)
    const range = rangeOf(call, stored)
    const { from, to } = range ?? { from: 0, to: stored.bytes - 1 }
    const more = range && { 'content-range': `bytes ${from}-${to}/${stored.bytes}` }
    response.writeHead(range ? 206 : 200, { ...headers, ...more, 'content-length': String(to - from + 1) })
    if (to < from) response.end()
    // A reader that stands still holds a file and a connection.
    response.setTimeout(limits.stallMs, () => response.destroy())
    if (to >= from) await pipeline(stored.handle.createReadStream({ start: from, end: to, autoClose: false }), response)
  } finally {
    await stored.handle.close()
  }
}

export async function headObject(call: Call): Promise<void> {
  const stored = await call.objects.read(call.target.key)
  if (!stored) throw noSuchKey()
  reply(call, 200, { ...headersOf(call, stored), 'content-length': String(stored.bytes) })
}

export async function deleteObject(call: Call): Promise<void> {
  await call.objects.remove(call.target.key)
  reply(call, 204)
}

export async function deleteObjects(call: Call): Promise<void> {
  const root = parseXml(await document(call))
  const keys = root?.children.filter(({ name }) => name === 'Object').map((one) => textOf(one, 'Key') ?? '')
  if (root?.name !== 'Delete' || !keys || keys.length === 0 || keys.length > MOST_AT_ONCE)
    throw new OssError('MalformedXML', 'The XML you provided was not well-formed.')
  for (const key of keys) requireKey(key)
  for (const key of keys) await call.objects.remove(key)
  const isQuiet = textOf(root, 'Quiet') === 'true'
  replyXml(call, 'DeleteResult', isQuiet ? [] : keys.map((key): Field => ['Deleted', [['Key', key]]]))
}

/** The key a listing goes on after. */
function startOf({ target: { query } }: Call): string {
  const token = query.get('continuation-token')
  if (token === undefined) return query.get('start-after') ?? ''
  const key = Buffer.from(token, 'base64url').toString()
  if (!isObjectKey(key)) throw new OssError('InvalidArgument', 'The continuation token is not valid.')
  return key
}

export async function listObjects(call: Call): Promise<void> {
  const { objects, target } = call
  if (target.query.get('list-type') !== '2') throw new OssError('NotImplemented', 'Please use list-type=2.')
  const prefix = target.query.get('prefix') ?? ''
  const most = numberIn(call, 'max-keys', 1, MOST_AT_ONCE, 100)
  const found: { readonly key: string; readonly stored: StoredFile }[] = []
  let isTruncated = false
  for await (const key of objects.keys(prefix, startOf(call))) {
    isTruncated = found.length === most
    if (isTruncated) break
    const stored = await objects.read(key)
    if (stored) found.push({ key, stored })
  }
  const last = found.at(-1)
  replyXml(call, 'ListBucketResult', [
    ['Name', target.bucket],
    ['Prefix', prefix],
    ['MaxKeys', most],
    ['KeyCount', found.length],
    ['IsTruncated', isTruncated],
    ...(isTruncated && last ? [['NextContinuationToken', Buffer.from(last.key).toString('base64url')] as const] : []),
    ...found.map(({ key, stored }): Field => ['Contents', contentsOf(key, stored)]),
  ])
}

const contentsOf = (key: string, { facts, bytes }: StoredFile): Field[] => [
  ['Key', key],
  ['LastModified', isoSeconds(facts.modifiedMs)],
  ['ETag', `"${facts.etag}"`],
  ['Type', facts.uploadId === undefined ? 'Normal' : 'Multipart'],
  ['Size', bytes],
  ['StorageClass', 'Standard'],
]

/** OSS keeps whole seconds, as the header Last-Modified does. */
export const isoSeconds = (ms: number): string => new Date(Math.floor(ms / 1000) * 1000).toISOString()
