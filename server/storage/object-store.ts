import type { Readable } from 'node:stream'

/** An object as listings and heads tell of it. Times are whole seconds, as OSS keeps them. */
export interface StoredObject {
  readonly key: string
  readonly bytes: number
  readonly modifiedMs: number
  /** Changes with the bytes: those of one version under a key have one. */
  readonly etag: string
}

/** Where the server keeps files: the one interface for the local endpoint and for Aliyun. */
export interface ObjectStore {
  head(key: string): Promise<StoredObject | undefined>
  /** An object with so many of its first bytes, fewer where it has no more. */
  peek(key: string, bytes: number): Promise<{ readonly object: StoredObject; readonly start: Buffer } | undefined>
  /** Streams an object, or bytes from..to inclusive of it. Throws `file.missing`. */
  read(key: string, range?: { readonly from: number; readonly to: number }): Promise<Readable>
  /** Stores a local file, streamed. Throws `storage.full`. */
  writeFile(key: string, path: string): Promise<void>
  /** Missing ones are fine. */
  remove(keys: readonly string[]): Promise<void>
  list(prefix: string): AsyncIterable<StoredObject>
  /** Bytes of each part of the uploads under way. */
  partSizes(prefix: string): AsyncIterable<number>
  /** Aborts multipart uploads begun before a time. Returns how many. */
  abortUploadsBefore(prefix: string, timeMs: number): Promise<number>
}
