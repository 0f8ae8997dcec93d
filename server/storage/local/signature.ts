import { createHash, createHmac, type BinaryLike } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { OssError } from './oss-error.ts'
import type { Target } from './target.ts'

const ALGORITHM = 'OSS4-HMAC-SHA256'
const SKEW_MS = 15 * 60_000
const LONGEST_LIFE_S = 604_800
const CREDENTIAL = /^([^/,\s]+)\/(\d{8})\/([a-z0-9-]+)\/oss\/aliyun_v4_request$/
const HEADER = /^OSS4-HMAC-SHA256 Credential=([^,\s]+),\s*(?:AdditionalHeaders=([a-z0-9;-]+),\s*)?Signature=([0-9a-f]{64})$/

export interface SignedRequest {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly target: Target
}

/** What a request claims of itself; nothing of it is proved yet. */
export interface Claim {
  readonly by: 'header' | 'query'
  readonly accessKeyId: string
  readonly securityToken: string | undefined
  readonly signature: string
  readonly additionalHeaders: readonly string[]
  /** `yyyymmddThhmmssZ` */
  readonly date: string
  readonly region: string
}

const refuse = (message: string): OssError => new OssError('InvalidArgument', message)
const headerText = (headers: IncomingHttpHeaders, name: string): string | undefined => headers[name]?.toString()

function timeOf(date: string): number {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) ?? []
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  if (Number.isNaN(ms)) throw refuse('The date is malformed.')
  return ms
}

function scopeOf(credential: string, region: string, date: string): { readonly accessKeyId: string; readonly region: string } {
  const [, accessKeyId, day, signedRegion] = CREDENTIAL.exec(credential) ?? []
  if (accessKeyId === undefined || signedRegion === undefined) throw refuse('The credential is malformed.')
  if (signedRegion !== region) throw refuse(`The credential's region is not ${region}.`)
  if (!date.startsWith(`${day}T`)) throw refuse("The credential's date is not the request's.")
  return { accessKeyId, region: signedRegion }
}

function readHeader({ headers }: SignedRequest, region: string, nowMs: number): Claim {
  const authorization = headers.authorization ?? ''
  if (!authorization.startsWith(`${ALGORITHM} `)) throw new OssError('InvalidRequest', `Please use ${ALGORITHM}.`)
  const [, credential, additional, signature] = HEADER.exec(authorization) ?? []
  if (credential === undefined || signature === undefined) throw refuse('The authorization is malformed.')
  if (headers['x-oss-content-sha256'] !== 'UNSIGNED-PAYLOAD') throw refuse('x-oss-content-sha256 must be UNSIGNED-PAYLOAD.')
  const date = headerText(headers, 'x-oss-date') ?? ''
  if (Math.abs(timeOf(date) - nowMs) > SKEW_MS)
    throw new OssError('RequestTimeTooSkewed', "The difference between the request time and the server's time is too large.")
  const additionalHeaders = additional?.split(';') ?? []
  const securityToken = headerText(headers, 'x-oss-security-token')
  return { by: 'header', ...scopeOf(credential, region, date), securityToken, signature, additionalHeaders, date }
}

function readQuery({ target: { query } }: SignedRequest, region: string, nowMs: number): Claim {
  if (query.get('x-oss-signature-version') !== ALGORITHM) throw new OssError('InvalidRequest', `Please use ${ALGORITHM}.`)
  const date = query.get('x-oss-date') ?? ''
  const lifeText = query.get('x-oss-expires') ?? ''
  const lifeS = /^\d{1,6}$/.test(lifeText) ? Number(lifeText) : 0
  if (lifeS < 1 || lifeS > LONGEST_LIFE_S) throw refuse(`x-oss-expires must be 1 to ${LONGEST_LIFE_S} seconds.`)
  const startMs = timeOf(date)
  if (startMs - nowMs > SKEW_MS || startMs + lifeS * 1000 < nowMs) throw new OssError('AccessDenied', 'Request has expired.')
  const signature = query.get('x-oss-signature') ?? ''
  const additionalHeaders = query.get('x-oss-additional-headers')?.split(';') ?? []
  const securityToken = query.get('x-oss-security-token')
  return {
    by: 'query',
    ...scopeOf(query.get('x-oss-credential') ?? '', region, date),
    securityToken,
    signature,
    additionalHeaders,
    date,
  }
}

/** Reads a V4 signature from the header or the query. Throws OssError for what is absent, malformed or out of time. */
export function readClaim(request: SignedRequest, region: string, nowMs: number): Claim {
  const isInQuery = request.target.query.has('x-oss-signature')
  if (request.headers.authorization === undefined && !isInQuery) throw new OssError('AccessDenied', 'Anonymous access is forbidden.')
  if (request.headers.authorization !== undefined && isInQuery) throw refuse('Sign by header or by query, not by both.')
  const claim = isInQuery ? readQuery(request, region, nowMs) : readHeader(request, region, nowMs)
  const missing = claim.additionalHeaders.find((name) => request.headers[name] === undefined)
  if (missing !== undefined) throw refuse('A signed header is missing.')
  return claim
}

const percentEncode = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)

const byText = (one: string, other: string): number => (one < other ? -1 : Number(one > other))

const isSigned = (name: string): boolean => ['content-type', 'content-md5'].includes(name) || name.startsWith('x-oss-')

/** The canonical request of OSS's V4 signature; see "Signature version 4" in Aliyun's OSS developer reference. */
function canonicalRequest({ method, headers, target }: SignedRequest, { by, additionalHeaders }: Claim): string {
  const query = [...target.query]
    .filter(([name]) => by === 'header' || name !== 'x-oss-signature')
    .map(([name, value]) => [percentEncode(name), percentEncode(value)] as const)
    .toSorted(([one], [other]) => byText(one, other))
    .map(([name, value]) => (value === '' ? name : `${name}=${value}`))
  const names = new Set([...additionalHeaders, ...Object.keys(headers).filter(isSigned)])
  return [
    method,
    percentEncode(`/${target.bucket}/${target.key}`).replaceAll('%2F', '/'),
    query.join('&'),
    [...names]
      .toSorted(byText)
      .map((name) => `${name}:${headerText(headers, name)?.trim()}\n`)
      .join(''),
    additionalHeaders.join(';'),
    'UNSIGNED-PAYLOAD',
  ].join('\n')
}

const hmac = (key: BinaryLike, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** The signature a request has to bear, in lower-case hex. */
export function signatureOf(request: SignedRequest, claim: Claim, secret: string): string {
  const day = claim.date.slice(0, 8)
  const hash = createHash('sha256').update(canonicalRequest(request, claim)).digest('hex')
  const text = [ALGORITHM, claim.date, `${day}/${claim.region}/oss/aliyun_v4_request`, hash].join('\n')
  const key = [day, claim.region, 'oss', 'aliyun_v4_request'].reduce<BinaryLike>(hmac, `aliyun_v4${secret}`)
  return hmac(key, text).toString('hex')
}
