import { fdatasyncSync, fsyncSync } from 'node:fs'
import { open, readFile, readdir } from 'node:fs/promises'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

/** What is touched of Emscripten's NODEFS: not a public interface, hence the pinned PGlite version and the tests of it. */
interface FileNode {
  readonly mode: number
  readonly parent: FileNode
  readonly name: string
}
interface Stream {
  readonly node: FileNode
  readonly nfd: number
}
interface NodeFileSystem {
  readonly node_ops: {
    setattr: (node: FileNode, ...rest: unknown[]) => unknown
    mknod: (...args: unknown[]) => FileNode
  }
  readonly stream_ops: {
    setattr: (stream: Stream, ...rest: unknown[]) => unknown
    write: (stream: Stream, ...rest: unknown[]) => unknown
    fsync?: (stream: Stream) => number
  }
}

const FILE_TYPE = 0o170_000
const FOLDER = 0o040_000

const isFolder = ({ mode }: FileNode): boolean => (mode & FILE_TYPE) === FOLDER
const isWal = ({ parent }: FileNode): boolean => parent.name === 'pg_wal'

/**
 * PGlite's files in a folder, with an fsync that reaches the disk: PGlite itself has none, and no fdatasync either.
 *
 * PostgreSQL fsyncs every file of the folder when it recovers from a crash (SyncDataDirectory), seconds on a common
 * disk. So the folder must have been flushed before (`flushFolder`); then a file nobody wrote to since needs no fsync.
 */
export class DurableFiles extends NodeFS {
  readonly #unflushed = new WeakSet<FileNode>()

  override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...args)
    const patch = (module: object): void => {
      const { NODEFS } = module as { NODEFS: NodeFileSystem } // Emscripten's own, absent from PGlite's types
      this.#trackWrites(NODEFS)
      NODEFS.stream_ops.fsync = (stream) => this.#fsync(stream)
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...[emscriptenOpts.preRun ?? []].flat(), patch] } }
  }

  #trackWrites({ node_ops, stream_ops }: NodeFileSystem): void {
    const { setattr: setNode, mknod } = node_ops
    const { setattr: setStream, write } = stream_ops
    node_ops.setattr = (node, ...rest) => {
      this.#unflushed.add(node)
      return setNode(node, ...rest)
    }
    node_ops.mknod = (...args) => {
      const node = mknod(...args)
      this.#unflushed.add(node)
      return node
    }
    stream_ops.setattr = (stream, ...rest) => {
      this.#unflushed.add(stream.node)
      return setStream(stream, ...rest)
    }
    // msync goes through here too.
    stream_ops.write = (stream, ...rest) => {
      this.#unflushed.add(stream.node)
      return write(stream, ...rest)
    }
  }

  #fsync({ node, nfd }: Stream): number {
    const folder = isFolder(node)
    if (folder ? process.platform === 'win32' : !this.#unflushed.has(node)) return 0 // Windows can't flush a folder
    // What this throws ends the database (`OneConnection`): after a failed fsync nobody knows what the disk holds.
    if (!folder && isWal(node)) fdatasyncSync(nfd)
    else fsyncSync(nfd)
    this.#unflushed.delete(node)
    return 0
  }
}

/** Start parameters with fsync: without -F, and by fsync(), since fdatasync() is an empty stub in PGlite. */
const startParams = PGlite.defaultStartParams
  .filter((parameter) => parameter !== '-F')
  .concat('-c', 'wal_sync_method=fsync', '-c', 'shared_buffers=16MB')

/** PGlite options for a data folder, every acknowledged commit on the disk. Flushes the folder first when it was not closed cleanly. */
export async function durableOptions(folder: string): Promise<{ fs: DurableFiles; startParams: string[] }> {
  if (!(await isClean(folder))) await flushFolder(folder)
  return { fs: new DurableFiles(folder), startParams }
}

/** Whether a data folder was shut down cleanly, by the very field PostgreSQL decides on (ControlFileData.state). */
async function isClean(folder: string): Promise<boolean> {
  const control = await readFile(join(folder, 'global', 'pg_control')).catch(() => undefined)
  return control?.readUInt32LE(16) === 1
}

/** Brings all of a folder to the disk: by one syncfs(2) where there is a program for it, else file by file. */
export async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'linux') {
    const isDone = await promisify(execFile)('sync', ['-f', folder]).then(
      () => true,
      () => false, // no such program, or one without -f
    )
    if (isDone) return
  }
  await flushEach(folder)
}

/** Flushes each file of a folder, and the folders. */
export async function flushEach(folder: string): Promise<void> {
  const isWindows = process.platform === 'win32'
  const flush = async (path: string): Promise<void> => {
    const file = await open(path, isWindows ? 'r+' : 'r') // Windows flushes only what is open for writing
    await file.sync().finally(() => file.close())
  }
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  const waiting = entries.filter((entry) => entry.isFile() || (entry.isDirectory() && !isWindows))
  const paths = waiting.map((entry) => join(entry.parentPath, entry.name)).values()
  const lane = async (): Promise<void> => {
    for (const path of paths) await flush(path)
  }
  await Promise.all([lane(), lane(), lane(), lane()])
  if (!isWindows) await flush(folder)
}
