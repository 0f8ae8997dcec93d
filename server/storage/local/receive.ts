import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { OssError } from './oss-error.ts'

export interface Received {
  readonly bytes: number
  readonly md5: Buffer
}

/** A body while it comes in: how much, and its MD5. */
export class Body {
  readonly #request: IncomingMessage
  readonly #limitBytes: number
  readonly #stallMs: number
  readonly #hash = createHash('md5')
  #bytes = 0

  constructor(request: IncomingMessage, limitBytes: number, stallMs: number) {
    this.#request = request
    this.#limitBytes = limitBytes
    this.#stallMs = stallMs
  }

  /** The body, chunk by chunk. A client that sends nothing for too long is cut off; one that sends too much is refused. */
  async *chunks(): AsyncGenerator<Buffer> {
    const stalled = setTimeout(() => this.#request.destroy(), this.#stallMs)
    try {
      // The connection outlives a refusal, which is yet to be answered.
      for await (const chunk of this.#request.iterator({ destroyOnReturn: false })) {
        const bytes: Buffer = chunk
        this.#bytes += bytes.length
        if (this.#bytes > this.#limitBytes) throw tooLarge()
        this.#hash.update(bytes)
        yield bytes
        stalled.refresh()
      }
    } finally {
      clearTimeout(stalled)
    }
  }

  /** What came in, once all has. Throws InvalidDigest where the client's Content-MD5 says otherwise. */
  finish(): Received {
    const md5 = this.#hash.digest()
    const claimed = this.#request.headers['content-md5']
    if (claimed !== undefined && claimed !== md5.toString('base64'))
      throw new OssError('InvalidDigest', 'The Content-MD5 you specified is not valid.')
    return { bytes: this.#bytes, md5 }
  }
}

export const tooLarge = (): OssError => new OssError('EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size.')

/** A small document, such as the list of an upload's parts. */
export async function receiveText(request: IncomingMessage, limitBytes: number, stallMs: number): Promise<string> {
  const body = new Body(request, limitBytes, stallMs)
  const chunks: Buffer[] = []
  for await (const chunk of body.chunks()) chunks.push(chunk)
  body.finish()
  return Buffer.concat(chunks).toString()
}
