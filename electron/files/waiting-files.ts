import { readFile, rm } from 'node:fs/promises'
import { z } from 'zod/mini'
import type { Grants } from './grants.ts'
import { sameFile } from './real-path.ts'
import { replaceFile } from './replace-file.ts'
import type { Log } from '../log.ts'
import { codeOf } from '#engine/failures'
import type { ReplyOf, RequestOf } from '#shared/desktop'
import { keptOptions } from '#shared/tools/finding'

/** A file's own settings are noted up to so many bytes: strokes may take a megabyte, and the list is written as a whole. */
const MOST_OPTIONS_BYTES = 64 * 1024

const noted = z.array(
  z.object({
    key: z.string(),
    page: z.string(),
    path: z.string(),
    name: z.string(),
    folder: z.optional(z.string()),
    options: z.optional(z.record(z.string(), z.unknown())),
  }),
)
type Noted = z.infer<typeof noted>

/**
 * The files on the page that were not started yet. They are noted on disk for a page or a client that crashes; who ends the client himself begins
 * with an empty page.
 */
export class WaitingFiles {
  readonly #path: string
  readonly #grants: Grants
  readonly #log: Log
  #files: Noted
  #text = ''
  #writing: Promise<void> | undefined

  private constructor(path: string, grants: Grants, log: Log, files: Noted) {
    this.#path = path
    this.#grants = grants
    this.#log = log
    this.#files = files
  }

  /** Reads what a client that crashed has noted; its files have the keys they had. */
  static async open(path: string, grants: Grants, log: Log): Promise<WaitingFiles> {
    const files = await read(path).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') log('what waited on the page could not be read', error)
      return []
    })
    for (const { key, path: at, name, folder } of files) grants.remember(key, { path: at, name, ...(folder !== undefined && { folder }) })
    return new WaitingFiles(path, grants, log, files)
  }

  /** Where they lie. */
  get paths(): readonly string[] {
    return this.#files.map(({ path }) => path)
  }

  /** Takes note of all that waits now. */
  note(files: RequestOf<'files:note-waiting'>): void {
    this.#files = files.flatMap(({ key, page, options }) => {
      const grant = this.#grants.find(key)
      return grant ? [{ key, page, ...grant, ...ownOptions(options) }] : []
    })
    this.#writing ??= this.#write().finally(() => (this.#writing = undefined))
  }

  /** What waited when it was last noted, as far as it is there still and nobody has started it. */
  async there(isStarted: (key: string) => boolean): Promise<ReplyOf<'files:waiting'>> {
    const found = this.#files
      .filter(({ key }) => !isStarted(key))
      .map(async ({ key, page, options, ...grant }) => {
        const bytes = await bytesOf(grant.path)
        const { name, folder } = grant
        return bytes === undefined
          ? []
          : [{ key, page, name, bytes, ...(folder !== undefined && { path: folder }), ...(options && { options }) }]
      })
    return (await Promise.all(found)).flat()
  }

  /** Forgets them: nothing has crashed. */
  async close(): Promise<void> {
    this.#files = []
    await this.#writing
    await rm(this.#path, { force: true }).catch((error: unknown) => this.#log('what waited on the page is noted still', error))
  }

  /** Until what is on the disk is what was noted last. */
  async #write(): Promise<void> {
    for (;;) {
      const text = JSON.stringify(this.#files)
      if (text === this.#text) return
      this.#text = text
      await replaceFile(this.#path, Buffer.from(text)).catch((error: unknown) => this.#log('what waits on the page was not noted', error))
    }
  }
}

async function read(path: string): Promise<Noted> {
  const parsed = noted.safeParse(JSON.parse(await readFile(path, 'utf8')))
  if (!parsed.success) throw parsed.error
  return parsed.data
}

/** Without a password, which is nobody's but its owner's to keep. */
function ownOptions(options: Noted[number]['options']): Pick<Noted[number], 'options'> {
  const kept = options && (keptOptions(options) as Record<string, unknown>) // a record stays one
  return kept && JSON.stringify(kept).length <= MOST_OPTIONS_BYTES ? { options: kept } : {}
}

/** How large a file is that lies where it lay. */
const bytesOf = (path: string): Promise<number | undefined> =>
  sameFile(path).then(
    ({ bytes }) => bytes,
    () => undefined,
  )
