import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import OSS from 'ali-oss'
import { z } from 'zod'
import type { ObjectStore, StoredObject } from './object-store.ts'
import { AppError } from '#shared/errors/app-error'

/** One put has one time-out for all its bytes; larger files go in parts, which have one each. */
const LARGEST_PUT_BYTES = 20 * 1024 ** 2
const PART_BYTES = 8 * 1024 ** 2
const MOST_AT_ONCE = 1000
/** What an answer without bytes may take, and one with. A body that stands still for 30 s is cut by ali-oss' own agent. */
const ANSWER_MS = 15_000
const BODY_MS = 120_000

/** How a bucket is reached; passed to ali-oss as it is. */
export interface Connection {
  readonly region: string
  readonly bucket: string
  readonly accessKeyId: string
  readonly accessKeySecret: string
  readonly endpoint?: string
  /** The bucket as the first part of the path instead of the host. */
  readonly sldEnable?: boolean
  readonly secure?: boolean
}

const headSchema = z.object({ 'content-length': z.coerce.number(), 'last-modified': z.string(), etag: z.string() })
/** Of the answer to a range: `bytes 0-99/1234`. */
const startSchema = z.object({
  'content-range': z
    .string()
    .regex(/^bytes \d+-\d+\/\d+$/)
    .transform((range) => Number(range.split('/')[1])),
  'last-modified': z.string(),
  etag: z.string(),
})
const failureSchema = z.object({ status: z.number().optional(), code: z.string().optional(), name: z.string().optional() })

const partSchema = z.object({ Size: z.coerce.number() })
/** As ali-oss passes it on from the XML: text, and one part alone is no list. */
const partsSchema = z.object({
  parts: z.union([z.array(partSchema), partSchema.transform((one) => [one])]),
  isTruncated: z.string(),
  nextPartNumberMarker: z.string(),
})

const isNoUpload = (thrown: unknown): boolean => failureSchema.safeParse(thrown).data?.code === 'NoSuchUpload'

/** What a person can be told of a failure; anything else is a fault of ours and stays what it is. */
function translate(thrown: unknown): unknown {
  if (thrown instanceof AppError) return thrown
  const { status, code, name } = failureSchema.safeParse(thrown).data ?? {}
  if (status === 507 || code === 'StorageFull') return new AppError('storage.full', {}, { cause: thrown })
  if (code === 'NoSuchKey') return new AppError('file.missing', {}, { cause: thrown })
  // Below zero: not connected, or timed out. `abort`: an upload swept away while it ran.
  const isDown = status !== undefined && (status < 0 || status >= 500)
  const isCut = name === 'abort' || name === 'ResponseTimeoutError' || code === 'RequestTimeout'
  // Our clock is wrong, and will be put right.
  const isSkewed = code === 'RequestTimeTooSkewed'
  return isDown || isCut || isSkewed ? new AppError('service.unavailable', {}, { cause: thrown }) : thrown
}

/** ali-oss signs an empty parameter as `prefix=`, OSS as `prefix`: an empty one is left out. */
const prefixed = (prefix: string): { prefix?: string } => (prefix === '' ? {} : { prefix })

async function told<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (thrown) {
    throw translate(thrown)
  }
}

/** A bucket through ali-oss, signed V4. */
export class OssStore implements ObjectStore {
  readonly #connect: () => Connection

  /** The connection is asked for at every use: a local endpoint is known only once the server listens. */
  constructor(connect: () => Connection) {
    this.#connect = connect
  }

  async head(key: string): Promise<StoredObject | undefined> {
    try {
      const { res } = await told(() => this.#client().head(key))
      const headers = headSchema.parse(res.headers)
      return { key, bytes: headers['content-length'], modifiedMs: Date.parse(headers['last-modified']), etag: headers.etag }
    } catch (thrown) {
      if (thrown instanceof AppError && thrown.code === 'file.missing') return undefined
      throw thrown
    }
  }

  async peek(key: string, bytes: number): Promise<{ object: StoredObject; start: Buffer } | undefined> {
    try {
      const headers = { Range: `bytes=0-${bytes - 1}`, 'x-oss-range-behavior': 'standard' }
      const { content, res } = await told(() => this.#client().get(key, { headers }))
      const answer = startSchema.parse(res.headers)
      const object = { key, bytes: answer['content-range'], modifiedMs: Date.parse(answer['last-modified']), etag: answer.etag }
      return { object, start: Buffer.from(content) }
    } catch (thrown) {
      if (thrown instanceof AppError && thrown.code === 'file.missing') return undefined
      if (failureSchema.safeParse(thrown).data?.code !== 'InvalidRange') throw thrown
      // Of an object without a byte there is no range.
      const object = await this.head(key)
      return object && { object, start: Buffer.alloc(0) }
    }
  }

  async read(key: string, range?: { readonly from: number; readonly to: number }): Promise<Readable> {
    // Without `standard`, OSS answers a range outside the object with all of it.
    const headers = range && { Range: `bytes=${range.from}-${range.to}`, 'x-oss-range-behavior': 'standard' }
    const { stream } = await told(() => this.#client().getStream(key, headers && { headers }))
    return stream
  }

  async writeFile(key: string, path: string): Promise<void> {
    const { size } = await stat(path)
    await told<unknown>(() => (size > LARGEST_PUT_BYTES ? this.#writeInParts(key, path) : this.#client(BODY_MS).put(key, path)))
  }

  async remove(keys: readonly string[]): Promise<void> {
    for (let at = 0; at < keys.length; at += MOST_AT_ONCE) {
      const batch = keys.slice(at, at + MOST_AT_ONCE)
      await told(() => this.#client().deleteMulti(batch, { quiet: true }))
    }
  }

  async *list(prefix: string): AsyncGenerator<StoredObject> {
    let token: string | null | undefined
    do {
      const query = { ...prefixed(prefix), 'max-keys': MOST_AT_ONCE, ...(token ? { 'continuation-token': token } : {}) }
      const page = await told(() => this.#client().listV2(query))
      for (const { name, size, lastModified, etag } of page.objects)
        yield { key: name, bytes: size, modifiedMs: Date.parse(lastModified), etag }
      token = page.isTruncated ? page.nextContinuationToken : undefined
    } while (token)
  }

  async *partSizes(prefix: string): AsyncGenerator<number> {
    for await (const { name, uploadId } of this.#uploads(prefix)) {
      let marker: string | undefined = '0'
      while (marker !== undefined) {
        const page = await this.#parts(name, uploadId, marker)
        yield* page.parts.map(({ Size }) => Size)
        marker = page.isTruncated === 'true' ? page.nextPartNumberMarker : undefined
      }
    }
  }

  async abortUploadsBefore(prefix: string, timeMs: number): Promise<number> {
    // All before the first is aborted, which would move the pages.
    const old: OSS.Upload[] = []
    for await (const upload of this.#uploads(prefix)) if (Date.parse(upload.initiated) < timeMs) old.push(upload)
    let aborted = 0
    for (const { name, uploadId } of old) aborted += Number(await this.#abort(name, uploadId))
    return aborted
  }

  async *#uploads(prefix: string): AsyncGenerator<OSS.Upload> {
    let markers: { 'key-marker': string; 'upload-id-marker': string } | undefined
    do {
      const query = { ...prefixed(prefix), 'max-uploads': MOST_AT_ONCE, ...markers }
      const page = await told(() => this.#client().listUploads(query))
      yield* page.uploads
      markers = page.isTruncated ? { 'key-marker': page.nextKeyMarker, 'upload-id-marker': page.nextUploadIdMarker } : undefined
    } while (markers)
  }

  /** A page of an upload's parts; none when it has ended meanwhile. */
  async #parts(name: string, uploadId: string, marker: string): Promise<z.infer<typeof partsSchema>> {
    try {
      // Its types ask for an encoding, which OSS does not.
      const query = { 'max-parts': MOST_AT_ONCE, 'part-number-marker': marker } as unknown as OSS.ListPartsQuery
      return partsSchema.parse(await this.#client().listParts(name, uploadId, query))
    } catch (thrown) {
      if (isNoUpload(thrown)) return { parts: [], isTruncated: 'false', nextPartNumberMarker: '0' }
      throw translate(thrown)
    }
  }

  async #writeInParts(key: string, path: string): Promise<void> {
    let uploadId: string | undefined
    const progress = (_share: number, checkpoint: OSS.Checkpoint | null): void => {
      uploadId = checkpoint?.uploadId ?? uploadId
    }
    try {
      await this.#client(BODY_MS).multipartUpload(key, path, { partSize: PART_BYTES, parallel: 3, progress })
    } catch (thrown) {
      // What cannot be aborted now is swept as an old upload later.
      if (uploadId !== undefined) await this.#abort(key, uploadId).catch(() => {})
      throw thrown
    }
  }

  /** Whether an upload was there to abort. */
  async #abort(key: string, uploadId: string): Promise<boolean> {
    try {
      await this.#client().abortMultipartUpload(key, uploadId)
      return true
    } catch (thrown) {
      if (isNoUpload(thrown)) return false
      throw translate(thrown)
    }
  }

  /** A client each time: they share their connections, but also a flag by which one abort stops every upload of a client. */
  #client(timeout = ANSWER_MS): OSS {
    const options = { ...this.#connect(), authorizationV4: true, timeout, retryMax: 2 }
    return new OSS(options)
  }
}
