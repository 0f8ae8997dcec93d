import type { TextStyle } from './document-model.ts'
import type { Glyph } from '../pdf/page-model.ts'

/** What is known of a letter beside its glyph. */
export interface Look {
  readonly size: number
  readonly isBold: boolean
  readonly script?: 'super' | 'sub'
}

/** Sizes are told apart by a tenth of a point, as programs show them; some draw no others. */
const SIZE_STEP = 10

/** Hands out styles, to letters that look alike the same one: then styles are compared by identity. */
export class StyleBook {
  readonly #known = new Map<string, TextStyle>()
  #last: TextStyle | undefined

  styleOf({ font, colour, isHidden }: Glyph, { size, isBold, script }: Look): TextStyle {
    const rounded = Math.round(size * SIZE_STEP) / SIZE_STEP
    const last = this.#last
    // Most letters look like the one before.
    if (
      last?.font === font &&
      last.size === rounded &&
      last.colour === colour &&
      last.isBold === isBold &&
      last.script === script &&
      (last.isHidden ?? false) === isHidden
    )
      return last
    this.#last = this.#once({
      font,
      size: rounded,
      isBold,
      isItalic: font.isItalic,
      isUnderlined: false,
      isStruck: false,
      colour,
      ...(script && { script }),
      ...(isHidden && { isHidden }),
    })
    return this.#last
  }

  /** The same style with something changed. */
  with(style: TextStyle, change: Partial<TextStyle>): TextStyle {
    return this.#once({ ...style, ...change })
  }

  #once(style: TextStyle): TextStyle {
    const { font, size, isBold, isItalic, isUnderlined, isStruck, colour, highlight, script, isHidden } = style
    const key = [font.name, font.isSerif, size, isBold, isItalic, isUnderlined, isStruck, colour, highlight, script, isHidden].join('|')
    const known = this.#known.get(key)
    if (known) return known
    this.#known.set(key, style)
    return style
  }
}
