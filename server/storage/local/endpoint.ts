import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AccessKeys, Grant } from './access-keys.ts'
import { requireKey, type Call, type Limits } from './call.ts'
import { answerPreflight, allowOrigin } from './cross-origin.ts'
import { Disk } from './disk.ts'
import { Objects } from './objects.ts'
import { operationOf, type Operation } from './operations.ts'
import { OssError, toOssError } from './oss-error.ts'
import { readClaim, signatureOf, type Claim } from './signature.ts'
import { isBucketUrl, parseTarget, type Target } from './target.ts'
import { Uploads } from './uploads.ts'
import { isSame } from '#server/secrets'

/** How long a refused body may still come in, so that the refusal is read and not lost in a reset connection. */
const LINGER_MS = 10_000

export interface EndpointConfig {
  readonly folder: string
  readonly keys: AccessKeys
  readonly bucket: string
  /** As ali-oss takes it: `oss-cn-shanghai`. */
  readonly region: string
  readonly limits: Limits
  /** Sites besides our own that may call from a browser. */
  readonly origins: readonly string[]
  /** Hears of faults of ours, which callers only see as InternalError. */
  readonly report: (cause: unknown) => void
}

/** Answers a request if it is for the bucket; false otherwise. */
export type Handle = (request: IncomingMessage, response: ServerResponse) => boolean

/** An OSS-compatible endpoint for one bucket in a folder, path style. One process may have the folder open. */
export async function openEndpoint(config: EndpointConfig): Promise<Handle> {
  const disk = await Disk.open(config.folder)
  const shelves = { disk, objects: new Objects(disk), uploads: await Uploads.open(disk) }
  return (request, response) => {
    if (!isBucketUrl(request.url ?? '', config.bucket)) return false
    const requestId = randomBytes(12).toString('hex').toUpperCase()
    response.setHeader('x-oss-request-id', requestId)
    // A client that hangs up is none of our faults; without a listener it would end the process.
    request.on('error', () => {})
    response.on('error', () => {})
    answer(config, shelves, request, response).catch((thrown: unknown) => refuse(config, { request, response, requestId }, thrown))
    return true
  }
}

async function answer(
  config: EndpointConfig,
  shelves: Pick<Call, 'disk' | 'objects' | 'uploads'>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const target = parseTarget(request.url ?? '')
  allowOrigin(request, response, config.origins)
  if (request.method === 'OPTIONS') return answerPreflight(request, response, config.origins)
  const { claim, grant } = authenticate(config, request, target)
  const operation = operationOf(request.method ?? '', target, Object.keys(request.headers))
  requireRight(grant, operation, target)
  if (operation.on === 'object') requireKey(target.key)
  return operation.run({ ...shelves, request, response, target, grant, by: claim.by, limits: config.limits })
}

function authenticate(
  { keys, region, limits }: EndpointConfig,
  { method = '', headers }: IncomingMessage,
  target: Target,
): { readonly claim: Claim; readonly grant: Grant } {
  const signed = { method, headers, target }
  const nowMs = limits.now()
  const claim = readClaim(signed, region.replace(/^oss-/, ''), nowMs)
  const { secret, grant } = keys.find(claim.accessKeyId, claim.securityToken)
  if (!isSame(signatureOf(signed, claim, secret), claim.signature))
    throw new OssError('SignatureDoesNotMatch', 'The request signature we calculated does not match the signature you provided.')
  if (grant.kind === 'temporary' && grant.expiresMs <= nowMs)
    throw new OssError('SecurityTokenExpired', 'The security token you provided has expired.')
  return { claim, grant }
}

function requireRight(grant: Grant, operation: Operation, { key }: Target): void {
  if (grant.kind === 'own') return
  if (!operation.isForTemporaryKeys || !key.startsWith(grant.prefix))
    throw new OssError('AccessDenied', 'You have no right to access this object because of the policy of your credentials.')
}

function refuse(
  { bucket, report }: EndpointConfig,
  { request, response, requestId }: { request: IncomingMessage; response: ServerResponse; requestId: string },
  thrown: unknown,
): void {
  if (response.destroyed || (request.destroyed && !request.complete)) return
  const error = toOssError(thrown)
  if (error.code === 'InternalError') report(thrown)
  if (response.headersSent) return void response.destroy()
  const body = Buffer.from(error.toXml(requestId, bucket))
  const isHead = request.method === 'HEAD'
  const length = isHead ? { 'x-oss-err': body.toString('base64') } : { 'content-length': String(body.length) }
  response.writeHead(error.status, { ...length, 'content-type': 'application/xml' }).end(isHead ? undefined : body)
  if (request.complete) return
  request.resume()
  const linger = setTimeout(() => request.destroy(), LINGER_MS)
  request.once('close', () => clearTimeout(linger))
}
