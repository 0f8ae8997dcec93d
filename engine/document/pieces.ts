import type { Glyph, PageModel } from '../pdf/page-model.ts'

/** Glyphs of one line that stand together, in the direction the line runs in. */
export interface Piece {
  /** Along the line and across it, in points; for text that runs as usual the same as on the page. */
  readonly left: number
  right: number
  /** The baseline. */
  readonly base: number
  readonly size: number
  text: string
}

/** Which way lines run: as usual, or turned by so many quarters clockwise. Vertical writing runs like text that is turned by one. */
export type Turn = 0 | 1 | 2 | 3

/** A glyph in its line's own frame: `u` along, `v` across, growing from line to line. */
interface Placed {
  readonly u: number
  readonly v: number
  readonly advance: number
  readonly size: number
  readonly text: string
}

/** A gap as wide as this many times the size of letters parts a line in two. */
const PARTED = 1.15
const LEAST_PARTED = 4
/** A gap between words, in sizes, where no space is written; and where one is. */
const GAP = 0.22
const SPACED_GAP = 0.06
/** Between two Han characters a gap is a space only where it is as wide as most of one. */
const HAN_GAP = 0.75
/** A baseline may lie this far from its line's, in sizes; small letters (raised, lowered) a little further. */
const BASE = 0.3
const RAISED = { base: 0.55, size: 0.82 }
/** A glyph painted again this near, in sizes and in its own widths (two l stand closer than two 国), makes a letter bold. */
const TWICE = { size: 0.3, advance: 0.5 }

const HAN = /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\u3000-\u303f]/
/** Whether a text begins or ends in a character of Chinese or Japanese writing, beside which no spaces stand. */
export const isHan = (text: string): boolean => HAN.test(text)

/** Which way a glyph's line runs. */
function turnOf({ angle, font }: Glyph): Turn {
  const quarters = Math.round(angle / (Math.PI / 2)) + (font.isVertical ? 1 : 0)
  return (((quarters % 4) + 4) % 4) as Turn // a remainder of 4 is one of them
}

function placed({ x, y, advance, size, text }: Glyph, turn: Turn, { width, height }: PageModel): Placed {
  const [u, v] = turn === 0 ? [x, y] : turn === 1 ? [y, width - x] : turn === 2 ? [width - x, height - y] : [height - y, x]
  return { u, v, advance, size, text }
}

/** Without what was painted twice to look bold. */
function once(glyphs: readonly Placed[]): Placed[] {
  const seen = new Map<string, Placed[]>()
  return glyphs.filter((glyph) => {
    if (glyph.text.trim() === '') return true
    const key = `${glyph.text} ${Math.round(glyph.v / Math.max(1, glyph.size))}`
    const alike = seen.get(key) ?? []
    const near = Math.min(TWICE.size * glyph.size, TWICE.advance * glyph.advance)
    if (alike.some(({ u, v, size }) => Math.abs(u - glyph.u) < near && Math.abs(v - glyph.v) < near && Math.abs(size - glyph.size) < near))
      return false
    seen.set(key, [...alike.slice(-40), glyph])
    return true
  })
}

interface Line {
  base: number
  size: number
  readonly glyphs: Placed[]
  isTaken: boolean
}

/** Glyphs by their baselines, from the top. */
function linesOf(glyphs: readonly Placed[]): Line[] {
  const lines: Line[] = []
  for (const glyph of glyphs.toSorted((a, b) => a.v - b.v || a.u - b.u)) {
    const near = lines.slice(-14).findLast(({ base, size }) => Math.abs(base - glyph.v) < BASE * Math.max(4, Math.min(size, glyph.size)))
    if (!near) lines.push({ base: glyph.v, size: glyph.size, glyphs: [glyph], isTaken: false })
    else {
      near.glyphs.push(glyph)
      if (glyph.size > near.size) [near.size, near.base] = [glyph.size, glyph.v]
    }
  }
  return lines
}

/** Whether a line of small letters stands raised or lowered beside the letters of another. */
function isBeside(small: Line, large: Line): boolean {
  if (small.size >= RAISED.size * large.size) return false
  const raised = large.base - small.base
  if (raised < -BASE * large.size || raised > RAISED.base * large.size) return false
  const ends = large.glyphs.map(({ u, advance }) => u + advance)
  const own = small.glyphs.map(({ u, advance }) => u + advance)
  const follows = (glyph: Placed): boolean => ends.some((end) => Math.abs(end - glyph.u) < 1.5 * glyph.size)
  return small.glyphs.every((glyph) => follows(glyph) || own.some((end) => Math.abs(end - glyph.u) < 0.5 * glyph.size))
}

/** Raised and lowered letters go to the line they belong to. */
function joined(lines: readonly Line[]): Line[] {
  for (const [at, line] of lines.entries()) {
    for (const other of lines.slice(Math.max(0, at - 6), at + 7)) {
      if (other === line || other.isTaken || line.isTaken || !isBeside(other, line)) continue
      line.glyphs.push(...other.glyphs)
      other.isTaken = true
    }
  }
  return lines.filter(({ isTaken }) => !isTaken)
}

const spaceBetween = (before: Placed, after: Placed): string => {
  const isBetweenHan = isHan(before.text) && isHan(after.text)
  if (!isBetweenHan) return ' '
  return after.u - before.u - before.advance > HAN_GAP * after.size ? '\u3000' : ''
}

/** A line's glyphs as pieces: parted at wide gaps, words parted by spaces. */
function piecesOf({ glyphs, base, size }: Line): Piece[] {
  const pieces: Piece[] = []
  let last: Placed | undefined
  let hasSpace = false
  for (const glyph of glyphs.toSorted((a, b) => a.u - b.u)) {
    if (glyph.text.trim() === '') {
      hasSpace = true
      continue
    }
    const piece = pieces.at(-1)
    const gap = last ? glyph.u - last.u - last.advance : 0
    const isParted = gap > Math.max(LEAST_PARTED, PARTED * Math.max(glyph.size, last?.size ?? 0))
    if (!piece || !last || isParted) pieces.push({ left: glyph.u, right: glyph.u + glyph.advance, base, size, text: glyph.text })
    else {
      const isApart = gap > GAP * glyph.size || (hasSpace && gap > SPACED_GAP * glyph.size)
      piece.text += (isApart ? spaceBetween(last, glyph) : '') + glyph.text
      piece.right = Math.max(piece.right, glyph.u + glyph.advance)
    }
    hasSpace = false
    last = glyph
  }
  return pieces
}

/** The pieces of text on a page by the way their lines run, most text first; each list from its first line to its last. */
export function textPieces(page: PageModel): readonly (readonly [Turn, readonly Piece[]])[] {
  const byTurn = new Map<Turn, Placed[]>()
  for (const glyph of page.glyphs) {
    const turn = turnOf(glyph)
    const list = byTurn.get(turn) ?? []
    list.push(placed(glyph, turn, page))
    byTurn.set(turn, list)
  }
  return [...byTurn]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([turn, glyphs]) => [turn, joined(linesOf(once(glyphs))).flatMap(piecesOf)] as const)
}
