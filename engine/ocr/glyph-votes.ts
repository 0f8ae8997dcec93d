import type { Glyph } from '../pdf/page-model.ts'

/** What was read where one glyph stands: how much speaks for each text. */
interface Votes {
  readonly texts: Map<string, number>
  total: number
}

/** With so much for one text, and so little for others, a glyph needs no more reading; … */
const ENOUGH = 2.4
const CLEAR = 0.75
/** … nor with so much in all. */
const MOST = 7
/** What is said of a glyph has this much for it, … */
const LEAST = 0.5
/** … and this share of all. */
const MAJORITY = 0.6
/** Characters that a font's text is compared by before it is told whether that is true, and the share that differs where it is not. */
const COMPARED = 10
const DIFFERENT = 0.5

/** Which glyph of a document's fonts it is. */
export const keyOf = ({ font, code = 0 }: Glyph): string => `${font.id ?? ''} ${code}`

const plain = (text: string): string => text.normalize('NFKC').toLowerCase()

/** What a document's glyphs were read as, wherever they stood. */
export class GlyphVotes {
  readonly #glyphs = new Map<string, Votes>()
  readonly #fonts = new Map<string, { same: number; other: number }>()

  /** One reading, which counts by how sure it was. */
  add(glyph: Glyph, text: string, weight: number): void {
    const key = keyOf(glyph)
    const votes = this.#glyphs.get(key) ?? { texts: new Map<string, number>(), total: 0 }
    votes.texts.set(text, (votes.texts.get(text) ?? 0) + weight)
    votes.total += weight
    this.#glyphs.set(key, votes)
  }

  /** One reading of a glyph whose font is doubted. */
  compare({ font, text: told }: Glyph, text: string): void {
    const count = this.#fonts.get(font.id ?? '') ?? { same: 0, other: 0 }
    if (plain(told) === plain(text)) count.same++
    else count.other++
    this.#fonts.set(font.id ?? '', count)
  }

  /** Whether a doubted font says something else than it shows; undefined before enough of it was read. */
  isFalse({ font }: Glyph): boolean | undefined {
    const { same, other } = this.#fonts.get(font.id ?? '') ?? { same: 0, other: 0 }
    return same + other < COMPARED ? undefined : other > (same + other) * DIFFERENT
  }

  #best(glyph: Glyph): { readonly text: string; readonly weight: number; readonly total: number } | undefined {
    const votes = this.#glyphs.get(keyOf(glyph))
    const [best] = [...(votes?.texts ?? [])].toSorted(([, a], [, b]) => b - a)
    return votes && best && { text: best[0], weight: best[1], total: votes.total }
  }

  /** Whether more reading of a glyph would tell nothing new. */
  isSettled(glyph: Glyph): boolean {
    const best = this.#best(glyph)
    return best !== undefined && (best.total >= MOST || (best.weight >= ENOUGH && best.weight >= best.total * CLEAR))
  }

  /** What a glyph stands for, if that is sure enough. */
  textOf(glyph: Glyph): string | undefined {
    const best = this.#best(glyph)
    return best && best.weight >= LEAST && best.weight >= best.total * MAJORITY ? best.text : undefined
  }
}
