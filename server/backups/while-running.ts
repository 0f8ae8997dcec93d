import { constants } from 'node:fs'
import { cp, readdir, rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { connectOwner } from '../database/lock.ts'
import type { Reopened } from '../database/reopened.ts'
import { randomText } from '../secrets.ts'

/*
 * The embedded database has one owner, who alone can tell when its files stand still. A backup asks him over the socket by which he holds
 * the folder: nobody connects there who may not read the files anyway.
 */

const ASKED = 'copy'
const COPY = /^copy-\w+$/
const PATIENCE_MS = 120_000

/** Answers who asks for a copy: the database's files as they are between two statements, beside them for as long as he stays. */
export function copyAnswerer(folder: string, client: () => Pick<Reopened, 'runExclusive'> | undefined): (socket: Socket) => void {
  return (socket) => {
    const name = `copy-${randomText(12)}`
    const place = join(folder, name)
    const gone = new Promise<void>((resolve) => socket.on('close', () => resolve()))
    const copy = async (): Promise<void> => {
      const connection = client()
      if (!connection) return void socket.destroy()
      const made = connection.runExclusive(() => cp(join(folder, 'pgdata'), place, { recursive: true, mode: constants.COPYFILE_FICLONE }))
      await made.then(() => socket.write(`${name}\n`)).catch(() => socket.destroy())
      await gone
      await rm(place, { recursive: true, force: true })
    }
    socket.on('error', () => {}) // it closes, then
    socket.once('data', (asked) => (String(asked) === `${ASKED}\n` ? void copy() : socket.destroy()))
  }
}

/** Removes what a server that was killed has left of such copies. */
export async function removeCopies(folder: string): Promise<void> {
  const left = (await readdir(folder)).filter((name) => COPY.test(name))
  for (const name of left) await rm(join(folder, name), { recursive: true, force: true })
}

/** Has the owner of a folder copy the database, and uses the copy, which goes afterwards. Whether the owner did; one of another kind does not. */
export async function withCopy(folder: string, use: (data: string) => Promise<void>): Promise<boolean> {
  const socket = await connectOwner(folder)
  if (!socket) return false
  try {
    socket.setTimeout(PATIENCE_MS, () => socket.destroy())
    socket.on('error', () => {}) // it closes, then
    socket.write(`${ASKED}\n`)
    for await (const name of createInterface(socket)) {
      if (!COPY.test(name)) return false
      await use(join(folder, name))
      return true
    }
    return false
  } finally {
    socket.destroy()
  }
}
