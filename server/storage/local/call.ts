import type { IncomingMessage, ServerResponse } from 'node:http'
import { measureSpace, requireSpace, type Disk, type Space } from './disk.ts'
import type { Grant } from './access-keys.ts'
import type { Objects } from './objects.ts'
import { isObjectKey } from './object-key.ts'
import { OssError } from './oss-error.ts'
import { Body, receiveText, tooLarge, type Received } from './receive.ts'
import type { Facts } from './stored-file.ts'
import type { Target } from './target.ts'
import type { Uploads } from './uploads.ts'
import { toXml, type Content } from './xml.ts'

/** What the endpoint lets in. */
export interface Limits {
  /** Of one object that a user's temporary key puts; the server's own may be of any size. */
  readonly maxUploadBytes: number
  /** Share of the disk that stays free, 0..1. */
  readonly freeShare: number
  /** How long a body may stand still. */
  readonly stallMs: number
  /** Asked before a body (or a part of one) is received, wherever its length is known. */
  readonly mayStore: (key: string, bytes: number) => boolean | Promise<boolean>
  readonly measureSpace: typeof measureSpace
  readonly now: () => number
}

/** An authenticated request and what it may work on. */
export interface Call {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly target: Target
  readonly grant: Grant
  /** How it was signed; a signed URL may set headers of its answer. */
  readonly by: 'header' | 'query'
  readonly limits: Limits
  readonly disk: Disk
  readonly objects: Objects
  readonly uploads: Uploads
}

const LONGEST_DOCUMENT_BYTES = 2 * 1024 ** 2

export function reply({ response }: Pick<Call, 'response'>, status: number, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { 'content-length': '0', ...headers }).end()
}

export function replyXml(
  { response }: Pick<Call, 'response'>,
  name: string,
  content: Content,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = Buffer.from(toXml(name, content))
  response.writeHead(200, { ...headers, 'content-type': 'application/xml', 'content-length': String(body.length) }).end(body)
}

/** Throws where an object's key is none we keep. */
export function requireKey(key: string): string {
  if (!isObjectKey(key)) throw new OssError('InvalidObjectName', 'The specified object name is not valid.')
  return key
}

export const document = ({ request, limits }: Call): Promise<string> => receiveText(request, LONGEST_DOCUMENT_BYTES, limits.stallMs)

async function measured({ disk, limits }: Call): Promise<Space> {
  return limits.measureSpace(disk.folder)
}

/** The most bytes of one object: what users upload is limited, results may be larger than any of the files they are made of. */
export const mostBytes = ({ grant, limits }: Call): number => (grant.kind === 'own' ? Infinity : limits.maxUploadBytes)

/** Throws where some bytes may not be stored: too large for who asks, or the disk too full. */
export async function requireRoom(call: Call, bytes: number): Promise<void> {
  if (bytes > mostBytes(call)) throw tooLarge()
  requireSpace(await measured(call), bytes, call.limits.freeShare)
}

/** How long the body is, or undefined where only its end will tell; that is for the server's own key. */
function announcedBytes({ request, grant }: Call): number | undefined {
  const length = request.headers['content-length']
  if (length === undefined && grant.kind === 'temporary')
    throw new OssError('MissingContentLength', 'You must provide the Content-Length HTTP header.')
  return length === undefined ? undefined : Number(length)
}

/** Takes a body in once it is clear that it may come. Throws OssError; then nothing was stored. */
export async function admit(call: Call, reserve: (bytes: number) => Promise<void> = async () => {}): Promise<Body> {
  const { limits, target } = call
  const bytes = announcedBytes(call)
  await requireRoom(call, bytes ?? 0)
  if (bytes !== undefined && !(await limits.mayStore(target.key, bytes)))
    throw new OssError('QuotaExceeded', 'There is no room left for you.')
  await reserve(bytes ?? 0)
  return new Body(call.request, mostBytes(call), limits.stallMs)
}

/** The facts of what a request has brought: its own type and metadata, and the MD5 of its bytes. */
export function factsOf({ request, limits }: Call, { md5 }: Pick<Received, 'md5'>): Facts {
  const meta = Object.entries(request.headers).flatMap(([name, value]) =>
    name.startsWith('x-oss-meta-') ? [[name, String(value)] as const] : [],
  )
  return {
    etag: md5.toString('hex').toUpperCase(),
    modifiedMs: limits.now(),
    contentType: request.headers['content-type'] ?? 'application/octet-stream',
    meta: Object.fromEntries(meta),
  }
}

/** A whole number from the query, within bounds. */
export function numberIn({ target }: Call, name: string, min: number, max: number, initial?: number): number {
  const text = target.query.get(name)
  const value = text === undefined && initial !== undefined ? initial : /^\d{1,9}$/.test(text ?? '') ? Number(text) : Number.NaN
  if (!(value >= min && value <= max)) throw new OssError('InvalidArgument', `${name} must be ${min} to ${max}.`)
  return value
}
