import type { Submission } from './submit.ts'

/** Files that become one job together: handed in once the last of them is uploaded, in the order of their rows. */
export class Bundle {
  readonly #ids: readonly string[]
  readonly #waitsFor: Set<string>
  readonly #arrived = new Map<string, Submission>()
  readonly #settle: (files: readonly Submission[], hasFailed: boolean) => void
  #hasFailed = false

  /** `settle` is told once, with the files that are up, and whether one of the others could not be. */
  constructor(ids: readonly string[], settle: (files: readonly Submission[], hasFailed: boolean) => void) {
    this.#ids = ids
    this.#waitsFor = new Set(ids)
    this.#settle = settle
  }

  arrive(file: Submission): void {
    this.#arrived.set(file.id, file)
    this.#hear(file.id)
  }

  /** A file was taken off the page or cancelled: the others go without it. */
  leave(id: string): void {
    this.#hear(id)
  }

  /** A file could not be uploaded: a result without it would be missing something. */
  fail(id: string): void {
    this.#hasFailed = true
    this.#hear(id)
  }

  #hear(id: string): void {
    if (!this.#waitsFor.delete(id) || this.#waitsFor.size > 0) return
    this.#settle(
      this.#ids.flatMap((one) => this.#arrived.get(one) ?? []),
      this.#hasFailed,
    )
  }
}
