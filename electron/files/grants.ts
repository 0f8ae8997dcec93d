import { randomBytes } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { isInside } from './path-rules.ts'
import { realPath, usablePath } from './real-path.ts'
import { codeOf } from '#engine/failures'
import { filesIn } from '#engine/gather'
import type { GrantedFile } from '#shared/desktop'
import { AppError, toWire, type WireError } from '#shared/errors/app-error'

/** Files of one opening, at most: all rows of a page. */
const MOST_OPENED = 1000
/** So many grants are never in use; the oldest are forgotten first. */
const MOST_GRANTS = 20_000

/** A file somebody picked, dropped or named. */
export interface Named {
  readonly path: string
  /** The folder it was picked from (`旅行/第一天`), where a folder was. */
  readonly folder?: string
}

/** A file the page may work on, as only this process knows it. */
export interface Grant {
  /** Where it really lies. */
  readonly path: string
  readonly name: string
  readonly folder?: string
}

/** Which files the page may work on: it knows them by random keys, and never where they lie. */
export class Grants {
  readonly #byKey = new Map<string, Grant>()

  /** Grants files, each by itself: one that may not be used says why, in its place. */
  give(files: readonly Named[]): Promise<readonly (GrantedFile | { readonly error: WireError })[]> {
    return Promise.all(files.map((file) => this.#give(file).catch((error: unknown) => ({ error: toWire(failureOf(error)) }))))
  }

  /** Grants files that were named to the program, and all that lies in folders among them; what may not be used is left out. */
  async open(paths: readonly string[]): Promise<readonly GrantedFile[]> {
    const found: Named[] = []
    for (const path of paths) {
      const real = await usablePath(path).catch(() => undefined)
      if (real === undefined) continue
      const entry = await stat(real).catch(() => undefined)
      if (!entry?.isDirectory()) found.push({ path })
      else for (const file of await filesIn(real, MOST_OPENED - found.length)) found.push(named(file))
    }
    const given = await this.give(found.slice(0, MOST_OPENED))
    return given.filter((one): one is GrantedFile => 'key' in one)
  }

  /** Grants a file that was granted before, under the key it had. */
  remember(key: string, grant: Grant): void {
    this.#byKey.set(key, grant)
  }

  /** What a key stands for. */
  find(key: string): Grant | undefined {
    return this.#byKey.get(key)
  }

  async #give({ path, folder }: Named): Promise<GrantedFile> {
    const real = await usablePath(path)
    if (folder !== undefined) await refuseWayOut(path, folder, real)
    const bytes = bytesOf(await stat(real, { bigint: true }))
    const grant: Grant = { path: real, name: basename(path), ...(folder !== undefined && folder !== '' && { folder }) }
    const key = randomBytes(18).toString('base64url')
    this.#byKey.set(key, grant)
    const [oldest] = this.#byKey.keys()
    if (oldest !== undefined && this.#byKey.size > MOST_GRANTS) this.#byKey.delete(oldest)
    return { key, name: grant.name, bytes, ...(grant.folder !== undefined && { path: grant.folder }) }
  }
}

const named = ({ path, folder }: Named): Named => ({ path, ...(folder !== undefined && { folder }) })

/** How large a plain file is. Throws what else it is. */
function bytesOf(entry: BigIntStats): number {
  if (entry.isDirectory()) throw new AppError('file.missing', {})
  // Pipes and devices can be waited for without end.
  if (!entry.isFile()) throw new AppError('file.unreadable', {})
  return Number(entry.size)
}

/** Of a folder that was picked, what a link in it leads to was not. */
async function refuseWayOut(path: string, folder: string, real: string): Promise<void> {
  const levels = folder.split(/[/\\]/).filter((part) => part !== '').length
  const above = Array.from({ length: levels }).reduce<string>((at) => dirname(at), path)
  if (!isInside(real, await realPath(above))) throw new AppError('place.refused', {})
}

/** Why a file can't be granted, in the words of the table of errors. */
function failureOf(thrown: unknown): unknown {
  const code = codeOf(thrown)
  if (code === 'ENOENT' || code === 'ENOTDIR') return new AppError('file.missing', {})
  if (code === 'EACCES' || code === 'EPERM') return new AppError('file.no-access', {})
  if (code === 'ENAMETOOLONG' || code === 'ELOOP') return new AppError('place.refused', {})
  return thrown
}
