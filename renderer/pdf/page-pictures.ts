import type { PdfFile } from './pdf-file.ts'

/** More than are ever in sight. */
const KEPT = 120

/** What becomes of a page that is asked for: the address of its picture, or that there is none. */
export type PagePicture = { readonly url: string } | 'failed'

interface Wish {
  readonly page: number
  readonly tell: (picture: PagePicture) => void
}

/** Small pictures of a PDF's pages, drawn one after the other, what was asked for last first; of those made, the latest are kept. */
export class PagePictures {
  readonly #pdf: Pick<PdfFile, 'draw'>
  readonly #widthPx: number
  readonly #made = new Map<number, PagePicture>()
  #wishes: readonly Wish[] = []
  #isDrawing = false
  #isOver = false

  constructor(pdf: Pick<PdfFile, 'draw'>, widthPx: number) {
    this.#pdf = pdf
    this.#widthPx = widthPx
  }

  /** A picture that is there already. */
  known(page: number): PagePicture | undefined {
    return this.#made.get(page)
  }

  /** Has a page drawn; what comes back withdraws the wish. */
  ask(page: number, tell: (picture: PagePicture) => void): () => void {
    const wish = { page, tell }
    this.#wishes = [...this.#wishes, wish]
    void this.#draw()
    return () => {
      this.#wishes = this.#wishes.filter((one) => one !== wish)
    }
  }

  /** Gives up every picture. */
  release(): void {
    this.#isOver = true
    this.#wishes = []
    for (const picture of this.#made.values()) revoke(picture)
    this.#made.clear()
  }

  async #draw(): Promise<void> {
    if (this.#isDrawing) return
    this.#isDrawing = true
    for (let wish = this.#wishes.at(-1); wish; wish = this.#wishes.at(-1)) {
      const { page } = wish
      const picture = this.#made.get(page) ?? (await this.#make(page))
      if (this.#isOver) break
      for (const { tell } of this.#wishes.filter((one) => one.page === page)) tell(picture)
      this.#wishes = this.#wishes.filter((one) => one.page !== page)
    }
    this.#isDrawing = false
  }

  async #make(page: number): Promise<PagePicture> {
    const picture: PagePicture = await this.#pdf.draw(page, this.#widthPx).then(
      (blob) => ({ url: URL.createObjectURL(blob) }),
      () => 'failed',
    )
    if (this.#isOver) {
      revoke(picture)
      return picture
    }
    this.#made.set(page, picture)
    const [oldest] = this.#made
    if (oldest && this.#made.size > KEPT) {
      this.#made.delete(oldest[0])
      revoke(oldest[1])
    }
    return picture
  }
}

const revoke = (picture: PagePicture): void => {
  if (picture !== 'failed') URL.revokeObjectURL(picture.url)
}
