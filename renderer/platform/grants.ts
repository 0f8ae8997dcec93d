import { ask, askGrants } from './ask.ts'
import { isPasted } from './picked-files.ts'
import type { GrantedFile, Placed } from '#shared/desktop'
import { fromWire, type WireError } from '#shared/errors/app-error'

/** Files of one call, at most. */
const CALL_SIZE = 1000

interface Asked extends Placed<File> {
  readonly settle: (granted: Promise<GrantedFile>) => void
}

let gathered: Asked[] = []
/** While the answer is on its way: whoever asks for the same file meanwhile waits for it too. */
const underWay = new Map<File, Promise<GrantedFile>>()

/**
 * Has the main process grant a file where it lies; all that are asked for in one turn go in one call. Throws AppError `place.refused`,
 * `file.missing` and such.
 */
export function grantFile(file: File, path: string | undefined): Promise<GrantedFile> {
  const known = underWay.get(file)
  if (known) return known
  const granted = isPasted(file) ? keep(file) : inOneCall(file, path)
  underWay.set(file, granted)
  granted.catch(() => {}).finally(() => underWay.delete(file))
  return granted
}

function inOneCall(file: File, path: string | undefined): Promise<GrantedFile> {
  if (gathered.length === 0) queueMicrotask(() => void flush())
  return new Promise((settle) => gathered.push({ file, ...(path !== undefined && { path }), settle }))
}

async function flush(): Promise<void> {
  const all = gathered
  gathered = []
  for (let at = 0; at < all.length; at += CALL_SIZE) {
    const some = all.slice(at, at + CALL_SIZE)
    const answer = call(some.map(({ file, path }) => ({ file, ...(path !== undefined && { path }) })))
    for (const [n, { settle }] of some.entries()) settle(answer.then((granted) => granted(n)))
  }
}

/** Asks for some files; what is answered for each of them. */
async function call(files: readonly Placed<File>[]): Promise<(n: number) => GrantedFile> {
  const granted = await askGrants(files)
  return (n) => {
    const one = granted[n]
    if (!one) throw new RangeError(`nothing was answered for file ${n}`)
    if ('error' in one) throw fromWire(one.error as WireError) // main built it from the same table
    return one
  }
}

/** A picture that was pasted lies nowhere: main keeps it in a place of its own. */
async function keep(file: File): Promise<GrantedFile> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  return ask('files:keep', { name: file.name, bytes })
}
