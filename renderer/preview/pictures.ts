/** Addresses for pictures of a preview, each made once, all given up together. */
export class PictureAddresses {
  readonly #made = new Map<string, string>()
  readonly #fileAt: (path: string) => Blob | undefined

  constructor(fileAt: (path: string) => Blob | undefined) {
    this.#fileAt = fileAt
  }

  /** Undefined for a part that is not there, or that browsers don't show. */
  of(path: string): string | undefined {
    const known = this.#made.get(path)
    if (known !== undefined) return known
    const file = this.#fileAt(path)
    if (!file) return undefined
    const url = URL.createObjectURL(file)
    this.#made.set(path, url)
    return url
  }

  release(): void {
    for (const url of this.#made.values()) URL.revokeObjectURL(url)
    this.#made.clear()
  }
}
