import type OSS from 'ali-oss'
import { transport } from './http.ts'
import { ifKept } from './kept.ts'
import { newId } from './unsecured.ts'
import { entered, sessionAtom } from '../state/session.ts'
import { store } from '../state/store.ts'
import { CONTROL_MS, send } from '#shared/api/send'
import { storageCredentials } from '#shared/api/user'

const KEY = 'oss'
const PART_BYTES = 5 * 1024 ** 2
/** A file up to so large goes in one piece, and tells no progress; a larger one in so many parts that some is seen, none smaller than this. */
const WHOLE_BYTES = 1024 ** 2
const LEAST_PART_BYTES = 256 * 1024
const PARTS = 8

/** For a part of each of three files over a line of half a megabit; that a network is dead is noticed sooner, by asking. */
const PART_MS = 5 * 60_000

const FRESH_MS = 10 * 60_000

interface Kept {
  readonly at: number
  readonly loginID: string
  readonly given: Promise<Credentials>
}

type Credentials = Awaited<ReturnType<typeof askForCredentials>>

let kept: Kept | undefined

const askForCredentials = () => send(transport, storageCredentials, {}, { deadlineMs: CONTROL_MS })

/** Credentials for some minutes, asked for once for all uploads that begin together; another visitor's serve nobody else. */
async function credentials(): Promise<Credentials> {
  await entered()
  const { loginID } = store.get(sessionAtom)
  if (!kept || kept.loginID !== loginID || Date.now() - kept.at > FRESH_MS) {
    kept = { at: Date.now(), loginID, given: askForCredentials() }
    kept.given.catch(() => (kept = undefined))
  }
  return kept.given
}

/** A client for one upload: stopping an upload stops everything its client does. It renews its credentials itself. */
async function openClient(): Promise<{ client: OSS; prefix: string }> {
  const [{ default: Client }, given] = await Promise.all([import('ali-oss'), credentials()])
  const { region, bucket, endpoint, sldEnable, prefix } = given
  // Only what is no secret is kept; after a reload a client is made from it with fresh credentials.
  ifKept(() => localStorage.setItem(KEY, JSON.stringify({ client: { region, bucket, endpoint, sldEnable, prefix } })))
  const settings = {
    region,
    bucket,
    endpoint,
    sldEnable,
    authorizationV4: true,
    timeout: PART_MS,
    ...keysOf(given),
    refreshSTSToken: async () => keysOf(await credentials()),
    refreshSTSTokenInterval: FRESH_MS,
  }
  return { client: new Client(settings), prefix }
}

const keysOf = (given: Credentials) => ({
  accessKeyId: given.AccessKeyId,
  accessKeySecret: given.AccessKeySecret,
  stsToken: given.SecurityToken,
})

/** An upload that can be stopped, and taken up again where it was cut. */
export class Upload {
  readonly #file: File
  readonly #progress: (fraction: number) => void
  #key: string | undefined
  #checkpoint: unknown
  #client: OSS | undefined

  constructor(file: File, progress: (fraction: number) => void) {
    this.#file = file
    this.#progress = progress
  }

  /** Uploads what is still missing; the key under which the file lies. */
  async run(): Promise<string> {
    const { client, prefix } = await openClient()
    this.#client = client
    this.#key ??= `${prefix}${newId()}`
    if (this.#file.size <= WHOLE_BYTES) {
      this.#progress(0)
      await client.put(this.#key, this.#file)
      return this.#key
    }
    await this.#uploadParts(client, this.#key)
    return this.#key
  }

  async #uploadParts(client: OSS, key: string): Promise<void> {
    const options = {
      partSize: Math.min(PART_BYTES, Math.max(LEAST_PART_BYTES, Math.ceil(this.#file.size / PARTS))),
      // One at a time, so that a cut costs one part; three files go up at a time as it is.
      parallel: 1,
      ...(this.#checkpoint !== undefined && { checkpoint: this.#checkpoint }),
      progress: (fraction: number, checkpoint: unknown) => {
        this.#checkpoint = checkpoint
        this.#progress(fraction)
      },
    } as OSS.MultipartUploadOptions // its types ask for a checkpoint that only the client itself can make
    try {
      await client.multipartUpload(key, this.#file, options)
    } catch (error) {
      // Ended without our hearing of it, or swept away: from the start again, under the same key.
      if (error instanceof Error && 'code' in error && error.code === 'NoSuchUpload') this.#checkpoint = undefined
      throw error
    }
  }

  /** Sends nothing more until it is run again. */
  pause(): void {
    this.#client?.cancel()
  }

  /** Stops as soon as the client can. */
  stop(): void {
    const { uploadId } = (this.#checkpoint ?? {}) as { uploadId?: string } // the client's own checkpoint names its upload
    if (uploadId && this.#key) void this.#client?.abortMultipartUpload(this.#key, uploadId).catch(() => {})
  }
}
