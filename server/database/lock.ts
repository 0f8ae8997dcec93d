import { createHash, randomUUID } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { codeOf } from '#engine/failures'

/** Another process has the data folder open; the message is for the person who wanted it. */
export class DataFolderInUse extends Error {
  readonly folder: string
  /** As its owner sees itself: inside a container it means nothing outside. */
  readonly pid: number | undefined

  constructor(folder: string, pid: number | undefined) {
    super(`数据目录 ${folder} 正被${pid === undefined ? '另一个进程' : `进程 ${pid} `}使用。`)
    this.name = 'DataFolderInUse'
    this.folder = folder
    this.pid = pid
  }
}

/** Holds a folder until released; the system releases it when the process ends, however that happens. */
export interface FolderLock {
  release(): Promise<void>
}

/** What an owner does with who connects to a socket that only those reach who reach the folder. */
type Answer = (socket: Socket) => void

const refuse: Answer = (socket) => void socket.destroy()

/** Listens on a local socket without keeping the process alive; undefined when somebody else does. */
function hold(path: string, answer: Answer): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer(answer)
    server.once('error', (error) => (codeOf(error) === 'EADDRINUSE' ? resolve(undefined) : reject(error)))
    // Exclusive: the workers of a Node cluster would share it.
    server.listen({ path, exclusive: true }, () => resolve(server.unref()))
  })
}

function isAlive(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    const answer = (alive: boolean): void => {
      socket.destroy()
      resolve(alive)
    }
    socket.once('connect', () => answer(true)).once('error', () => answer(false))
  })
}

/** As `hold`, for a socket file, which outlives a killed owner: a dead one is put aside. */
async function holdFile(path: string, answer: Answer): Promise<Server | undefined> {
  for (;;) {
    const server = await hold(path, answer)
    if (server !== undefined || (await isAlive(path))) return server
    // Renamed before it is removed: of two who found it dead, the slower one may have got hold of the other's live socket.
    const aside = `${path}.${randomUUID().slice(0, 8)}`
    const isAside = await rename(path, aside).then(
      () => true,
      () => false,
    )
    if (isAside && (await isAlive(aside))) return rename(aside, path).then(() => undefined)
    if (isAside) await rm(aside, { force: true })
  }
}

interface Held {
  readonly server: Server | undefined
  readonly close: () => void
}

const heldServer = (server: Server | undefined): Held => ({ server, close: () => server?.close() })

/** A name for a folder that is the same for every process and short enough for any system. */
const nameOf = (folder: string): string => `qingtu-${createHash('sha256').update(folder).digest('hex').slice(0, 32)}`

const pipeOf = (folder: string): string => `\\\\.\\pipe\\${nameOf(folder)}`
const outsideOf = (folder: string): string => join(tmpdir(), `${nameOf(folder)}.sock`)
/** Of an open folder: a socket's path may have 107 bytes only. */
const insideOf = (handle: number): string => `/proc/self/fd/${handle}/lock.sock`

/**
 * A socket file in the folder is seen from another network namespace too (a second container on the same volume), where an
 * abstract name is not. Undefined on file systems without sockets.
 */
async function holdInside(folder: string, answer: Answer): Promise<Held | undefined> {
  const handle = openSync(folder, 'r')
  const close = (): void => closeSync(handle)
  try {
    const server = await holdFile(insideOf(handle), answer)
    // Closing the server removes the file, through the handle.
    return { server, close: () => (server ? server.close(close) : close()) }
  } catch (error) {
    close()
    if (['EPERM', 'EOPNOTSUPP', 'ENOTSUP', 'EINVAL', 'EIO'].includes(String(codeOf(error)))) return undefined
    throw error
  }
}

/** Everything to be held on this system, in order, each asked for only when the one before it was free. */
async function* locksOf(folder: string, answer: Answer): AsyncGenerator<Held> {
  if (process.platform === 'win32') return yield heldServer(await hold(pipeOf(folder), answer))
  if (process.platform !== 'linux') return yield heldServer(await holdFile(outsideOf(folder), answer))
  // Everybody on the machine can connect to such a name.
  yield heldServer(await hold(`\0${nameOf(folder)}`, refuse))
  const inside = await holdInside(folder, answer)
  if (inside) yield inside
}

async function ownerOf(folder: string): Promise<number | undefined> {
  try {
    const owner: unknown = JSON.parse(await readFile(join(folder, 'owner.json'), 'utf8'))
    return typeof owner === 'object' && owner !== null && 'pid' in owner && typeof owner.pid === 'number' ? owner.pid : undefined
  } catch {
    return undefined // the owner is just starting or ending
  }
}

/** Connects to who holds a folder, where he can be reached. */
export async function connectOwner(folder: string): Promise<Socket | undefined> {
  const place = await realpath(folder)
  const handle = process.platform === 'linux' ? openSync(place, 'r') : undefined
  const path = handle === undefined ? (process.platform === 'win32' ? pipeOf : outsideOf)(place) : insideOf(handle)
  return new Promise<Socket | undefined>((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => resolve(socket)).once('error', () => resolve(undefined))
  }).finally(() => handle !== undefined && closeSync(handle))
}

/** Takes a folder for this process, making it if need be; who connects to it then is answered. Throws DataFolderInUse. */
export async function lockFolder(folder: string, answer: Answer = refuse): Promise<FolderLock> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const place = await realpath(folder)
  const held: Held[] = []
  const letGo = (): void => held.toReversed().forEach(({ close }) => close())
  try {
    for await (const one of locksOf(place, answer)) {
      held.push(one)
      if (one.server === undefined) throw new DataFolderInUse(folder, await ownerOf(place))
    }
    const owner = join(place, 'owner.json')
    await writeFile(owner, JSON.stringify({ pid: process.pid, startedAt: new Date().toISOString() }))
    return {
      release: async () => {
        await rm(owner, { force: true })
        letGo()
      },
    }
  } catch (error) {
    letGo()
    throw error
  }
}
