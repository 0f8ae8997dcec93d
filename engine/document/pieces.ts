import { baseLines, isPair, isParted, scriptOf, type BaseLine, type Placed } from './base-lines.ts'
import { byDirection, inFrame, type Direction } from './directions.ts'
import type { LinkTarget, TextStyle } from './document-model.ts'
import { StyleBook } from './text-style.ts'
import type { Glyph, PageModel } from '../pdf/page-model.ts'

/** A letter of a piece, or a space between two: where it stands along its line, and how it looks. */
export interface Letter {
  readonly text: string
  readonly left: number
  readonly right: number
  readonly style: TextStyle
  readonly target?: LinkTarget
  /** The note it calls or is the mark of: see Run. */
  readonly note?: number
}

/** Glyphs of one line that stand together, in the direction the line runs in. */
export interface Piece {
  /** Along the line and across it, in points; for text that runs as usual the same as on the page. */
  readonly left: number
  right: number
  /** The baseline. */
  readonly base: number
  readonly size: number
  text: string
  readonly letters: Letter[]
}

/** Text whose lines run one way. */
export interface TurnedText extends Direction {
  /** From the first line to the last. */
  readonly pieces: readonly Piece[]
}

/** A gap between words, in sizes, where no space is written; and where one is. */
const GAP = 0.22
const SPACED_GAP = 0.06
/** Signs before which no words part. */
const CLOSING = /^[,.;:!?)\]}，。：；！？）｝、＿]$/
/** Between two Han characters a gap is a wide space where it is as wide as most of one, and a written space one where it can be seen. */
const HAN_GAP = 0.75
const SEEN_GAP = 0.4
/** A glyph painted again this near, in sizes and in its own widths (two l stand closer than two 国), makes a letter bold. */
const TWICE = { size: 0.3, advance: 0.5, among: 41 }

const HAN = /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\u3000-\u303f]/
/** Whether a text begins or ends in a character of Chinese or Japanese writing, beside which no spaces stand. */
export const isHan = (text: string): boolean => HAN.test(text)

function placed(glyph: Glyph, direction: Direction, page: PageModel): Placed {
  const { x, y, advance, size, text } = glyph
  const [u, v] = inFrame(x, y, direction, page)
  return { u, v, advance, size, text, glyph, isBold: glyph.font.isBold || glyph.isOutlined }
}

/** Without what was painted twice to look bold. */
function once(glyphs: readonly Placed[]): Placed[] {
  const seen = new Map<string, Placed[]>()
  return glyphs.filter((glyph) => {
    if (glyph.text.trim() === '') return true
    const key = `${glyph.text} ${Math.round(glyph.v / Math.max(1, glyph.size))}`
    const alike = seen.get(key)
    const near = Math.min(TWICE.size * glyph.size, TWICE.advance * glyph.advance)
    const first = alike?.find(
      ({ u, v, size }) => Math.abs(u - glyph.u) < near && Math.abs(v - glyph.v) < near && Math.abs(size - glyph.size) < near,
    )
    if (first) {
      first.isBold = true
      return false
    }
    if (!alike) seen.set(key, [glyph])
    else if (alike.push(glyph) > TWICE.among) alike.shift()
    return true
  })
}

const spaceBetween = (before: Placed, after: Placed, isWritten: boolean): string => {
  const isBetweenHan = isHan(before.text) && isHan(after.text)
  if (!isBetweenHan) return ' '
  const gap = after.u - before.u - before.advance
  return gap > HAN_GAP * after.size
    ? '\u3000'.repeat(Math.max(1, Math.round(gap / after.size)))
    : isWritten && gap > SEEN_GAP * after.size
      ? ' '
      : ''
}

/** The way a glyph of a line looks; what stands raised or lowered takes the size of the letters beside it. */
function styleOf({ glyph, v, size, isBold }: Placed, line: BaseLine, styles: StyleBook): TextStyle {
  const script = scriptOf((line.base - v) / line.size, size, line)
  return styles.styleOf(glyph, script ? { size: line.size, isBold, script } : { size, isBold })
}

/** A line's glyphs as pieces: parted at wide gaps, words parted by spaces. */
function piecesOf(line: BaseLine, styles: StyleBook): Piece[] {
  const { glyphs, base, size } = line
  const pieces: Piece[] = []
  let last: Placed | undefined
  let hasSpace = false
  for (const glyph of glyphs.toSorted((a, b) => a.u - b.u)) {
    if (glyph.text.trim() === '') {
      hasSpace = true
      continue
    }
    const piece = pieces.at(-1)
    const right = glyph.u + glyph.advance
    const letter = { text: glyph.text, left: glyph.u, right, style: styleOf(glyph, line, styles) }
    const gap = last ? glyph.u - last.u - last.advance : 0
    if (!piece || !last || isParted(last, glyph)) pieces.push({ left: glyph.u, right, base, size, text: glyph.text, letters: [letter] })
    else {
      const isApart = hasSpace
        ? gap > SPACED_GAP * glyph.size
        : gap > GAP * glyph.size && (!CLOSING.test(glyph.text) || isPair(last, glyph))
      const space = isApart ? spaceBetween(last, glyph, hasSpace) : ''
      const before = piece.letters.at(-1)
      if (space !== '' && before) piece.letters.push({ text: space, left: before.right, right: glyph.u, style: before.style })
      piece.letters.push(letter)
      piece.text += space + glyph.text
      piece.right = Math.max(piece.right, right)
    }
    hasSpace = false
    last = glyph
  }
  return pieces
}

/** The text of a page by the way its lines run, most text first. */
export const textPieces = (page: PageModel, styles = new StyleBook()): readonly TurnedText[] =>
  byDirection(page.glyphs).map(({ direction, glyphs }) => {
    const lines = baseLines(once(glyphs.map((glyph) => placed(glyph, direction, page))))
    return { ...direction, pieces: lines.flatMap((line) => piecesOf(line, styles)) }
  })
