import { resolve } from 'node:path'
import { z } from 'zod/mini'

/** Files of one start, at most; the length of a command line ends sooner. */
const MOST = 1000

/** What a second start hands over to the first. */
const handed = z.object({ files: z.array(z.string().check(z.maxLength(32_767))).check(z.maxLength(MOST)) })

/**
 * The files and folders a command line names: all that is no switch, after the program, and after its folder where it is run by a bare
 * Electron. What follows `--` is a file whatever it looks like.
 */
export function filesNamed(argv: readonly string[], workingFolder: string, isPackaged: boolean): readonly string[] {
  const end = argv.indexOf('--')
  const before = end < 0 ? argv : argv.slice(0, end)
  const words = before.slice(1).filter((word) => word !== '' && !word.startsWith('-'))
  const files = [...(isPackaged ? words : words.slice(1)), ...(end < 0 ? [] : argv.slice(end + 1))]
  return files.slice(0, MOST).map((file) => resolve(workingFolder, file))
}

/** The files a second start handed over; none where what came is nothing of the kind. */
export function filesHanded(given: unknown): readonly string[] {
  const parsed = handed.safeParse(given)
  return parsed.success ? parsed.data.files : []
}

/** Gathers files that come one by one, as the system starts the client once for each of a selection, and hands them on together. */
export class Arrivals {
  readonly #waitMs: number
  readonly #take: (files: readonly string[]) => void
  #files: string[] = []
  #timer: NodeJS.Timeout | undefined
  #isHeard = false

  constructor(waitMs: number, take: (files: readonly string[]) => void) {
    this.#waitMs = waitMs
    this.#take = take
  }

  add(files: readonly string[]): void {
    if (files.length === 0) return
    this.#files.push(...files)
    if (this.#isHeard) this.#timer ??= setTimeout(() => this.#take(this.#collect()), this.#waitMs)
  }

  /** From now on what comes is told. What came before is given back. */
  listen(): readonly string[] {
    this.#isHeard = true
    return this.#collect()
  }

  /** A new page begins: until it listens, what comes is kept. */
  deafen(): void {
    this.#isHeard = false
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #collect(): readonly string[] {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const files = [...new Set(this.#files)]
    this.#files = []
    return files
  }
}
