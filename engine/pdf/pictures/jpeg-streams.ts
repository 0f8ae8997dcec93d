import { open, type FileHandle } from 'node:fs/promises'

const CHUNK_BYTES = 1 << 20
/** No object's head is longer than this. */
const HEAD_BYTES = 4096
const MAX_STREAM_BYTES = 64 << 20
const END = 'endstream'
const JPEG_END = Buffer.from([0xff, 0xd9])
const OBJECT = /(\d{1,10})\s+\d{1,5}\s+obj\b/g

async function read(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at)
  return buffer.subarray(0, bytesRead)
}

/** Where objects begin in a file by their numbers, the last one of a number counting. */
async function offsetsOf(file: FileHandle): Promise<ReadonlyMap<string, number>> {
  const offsets = new Map<string, number>()
  for (let at = 0; ; at += CHUNK_BYTES) {
    const bytes = await read(file, at, CHUNK_BYTES + 32)
    for (const found of bytes.toString('latin1').matchAll(OBJECT)) offsets.set(found[1] ?? '', at + found.index)
    if (bytes.length < CHUNK_BYTES + 32) return offsets
  }
}

/**
 * The streams of a PDF that are JPEGs, by the numbers of their objects. What is found is a guess (a number may stand in a stream, too) that whoever
 * asks compares with the decoded picture.
 */
export class JpegStreams {
  readonly #path: string
  #offsets: ReadonlyMap<string, number> | undefined

  constructor(path: string) {
    this.#path = path
  }

  /** The JPEG of an object (`12R` as pdf.js names it), or undefined. */
  async find(name: string): Promise<Buffer | undefined> {
    const file = await open(this.#path)
    try {
      this.#offsets ??= await offsetsOf(file)
      const offset = this.#offsets.get(/^\d+/.exec(name)?.[0] ?? '')
      if (offset === undefined) return undefined
      const head = await read(file, offset, HEAD_BYTES)
      const start = /stream\r?\n/.exec(head.toString('latin1'))
      if (!start) return undefined
      const at = start.index + start[0].length
      return head[at] === 0xff && head[at + 1] === 0xd8 ? await streamAt(file, offset + at) : undefined
    } finally {
      await file.close()
    }
  }
}

/** A JPEG without what follows its end (a line's end stands before `endstream`). */
const untilItsEnd = (jpeg: Buffer): Buffer => jpeg.subarray(0, jpeg.lastIndexOf(JPEG_END) + JPEG_END.length)

/** A stream's bytes up to its end. */
async function streamAt(file: FileHandle, from: number): Promise<Buffer | undefined> {
  for (let at = from; at < from + MAX_STREAM_BYTES; at += CHUNK_BYTES - END.length) {
    const bytes = await read(file, at, CHUNK_BYTES)
    const end = bytes.indexOf(END)
    if (end >= 0) return untilItsEnd(await read(file, from, at - from + end))
    if (bytes.length < CHUNK_BYTES) return undefined
  }
  return undefined
}
