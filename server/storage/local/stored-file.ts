import { open, type FileHandle } from 'node:fs/promises'
import { z } from 'zod'
import { isMissing } from './oss-error.ts'

/** Ends every stored file. Bytes and facts share one file so that one rename replaces both. */
const MAGIC = Buffer.from('QTOBJ\0\0\x01', 'latin1')
const TAIL_BYTES = MAGIC.length + 4
/** Read at once; holds all but uncommonly long metadata. */
const GUESS_BYTES = 2048

const factsSchema = z.strictObject({
  etag: z.string(),
  modifiedMs: z.number(),
  contentType: z.string(),
  meta: z.record(z.string(), z.string()),
  /** Of an upload's own file: the key it is for. Of an object: absent. */
  key: z.string().optional(),
  /** Of an object that was uploaded in parts. */
  uploadId: z.string().optional(),
})

/** What is kept of an object, a part or an upload besides its bytes. */
export type Facts = z.infer<typeof factsSchema>

export interface StoredFile {
  readonly facts: Facts
  /** The object's own, without the facts behind them. */
  readonly bytes: number
  readonly modifiedMs: number
}

/** The facts as they stand behind the bytes: JSON, its length, the mark. */
export function trailerOf(facts: Facts): Buffer {
  const json = Buffer.from(JSON.stringify(facts))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(json.length)
  return Buffer.concat([json, length, MAGIC])
}

async function readEnd(handle: FileHandle, size: number, wanted: number): Promise<Buffer> {
  const length = Math.min(size, wanted)
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length)
  return buffer.subarray(0, bytesRead)
}

async function readFacts(handle: FileHandle): Promise<StoredFile> {
  const { size } = await handle.stat()
  let end = await readEnd(handle, size, GUESS_BYTES)
  if (end.length < TAIL_BYTES || !end.subarray(-MAGIC.length).equals(MAGIC)) throw new Error('a stored file has lost its end')
  const wanted = end.readUInt32LE(end.length - TAIL_BYTES) + TAIL_BYTES
  if (wanted > end.length) end = await readEnd(handle, size, wanted)
  const facts = factsSchema.parse(JSON.parse(end.subarray(-wanted, -TAIL_BYTES).toString()))
  return { facts, bytes: size - wanted, modifiedMs: facts.modifiedMs }
}

/** A stored file, open: what is read of it stays the same if it is replaced meanwhile. The caller closes it. */
export async function openStored(path: string): Promise<(StoredFile & { readonly handle: FileHandle }) | undefined> {
  let handle: FileHandle
  try {
    handle = await open(path, 'r')
  } catch (thrown) {
    if (isMissing(thrown)) return undefined
    throw thrown
  }
  try {
    return { ...(await readFacts(handle)), handle }
  } catch (thrown) {
    await handle.close()
    throw thrown
  }
}

export async function readStored(path: string): Promise<StoredFile | undefined> {
  const stored = await openStored(path)
  await stored?.handle.close()
  return stored
}
