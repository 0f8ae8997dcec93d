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

/** A glyph in its line's own frame: `u` along, `v` across, growing from line to line. */
interface Placed {
  readonly u: number
  readonly v: number
  readonly advance: number
  readonly size: number
  readonly text: string
  readonly glyph: Glyph
  isBold: boolean
}

/** A gap as wide as this many times the size of letters parts a line in two. */
const PARTED = 1.15
const LEAST_PARTED = 4
/** A gap between words, in sizes, where no space is written; and where one is. */
const GAP = 0.22
const SPACED_GAP = 0.06
/** Signs before which no words part. */
const CLOSING = /^[,.;:!?)\]}，。：；！？）｝、＿]$/
/** Between two Han characters a gap is a wide space where it is as wide as most of one, and a written space one where it can be seen. */
const HAN_GAP = 0.75
const SEEN_GAP = 0.4
/** A baseline may lie this far from its line's, in sizes; small letters (raised, lowered) a little further. */
const BASE = 0.3
const RAISED = { base: 0.55, size: 0.82 }
/** A raised mark before a line has no more letters. */
const MARK_LENGTH = 4
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
  for (const line of lines) settle(line)
  return lines
}

/** Sizes are counted together by a quarter of a point. */
const SIZE_STEP = 4

/** Gives a line the size of most of its letters, and their baseline. */
function settle(line: Line): void {
  const bySize = new Map<number, Placed[]>()
  for (const glyph of line.glyphs) {
    const key = Math.round(glyph.size * SIZE_STEP)
    const alike = bySize.get(key) ?? []
    if (alike.push(glyph) === 1) bySize.set(key, alike)
  }
  if (bySize.size < 2 && line.glyphs.every(({ v }) => v === line.base)) return
  const most = [...bySize.values()].reduce((a, b) => (b.length > a.length ? b : a))
  const middle = most.toSorted((a, b) => a.v - b.v)[most.length >> 1]
  if (middle) [line.size, line.base] = [middle.size, middle.v]
}

const endOf = ({ u, advance }: Placed): number => u + advance

/** Letters that follow one another without a gap. */
function groupsOf(glyphs: readonly Placed[]): Placed[][] {
  const groups: Placed[][] = []
  for (const glyph of glyphs.toSorted((a, b) => a.u - b.u)) {
    const last = groups.at(-1)?.at(-1)
    if (last && Math.abs(endOf(last) - glyph.u) < 0.5 * glyph.size) groups.at(-1)?.push(glyph)
    else groups.push([glyph])
  }
  return groups
}

/** Whether a line of small letters stands raised or lowered beside the letters of another: behind them, or as a mark before them. */
function isBeside(small: Line, large: Line): boolean {
  if (small.size >= RAISED.size * large.size) return false
  const raised = large.base - small.base
  if (raised < -BASE * large.size || raised > RAISED.base * large.size) return false
  const reach = 1.5 * small.size
  return groupsOf(small.glyphs).every((group) => {
    const [from, to] = [group[0]?.u ?? 0, Math.max(...group.map(endOf))]
    const isMark = raised > 0 && group.length <= MARK_LENGTH
    return large.glyphs.some((glyph) => Math.abs(endOf(glyph) - from) < reach || (isMark && Math.abs(glyph.u - to) < reach))
  })
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

const spaceBetween = (before: Placed, after: Placed, isWritten: boolean): string => {
  const isBetweenHan = isHan(before.text) && isHan(after.text)
  if (!isBetweenHan) return ' '
  const gap = after.u - before.u - before.advance
  return gap > HAN_GAP * after.size ? '\u3000' : isWritten && gap > SEEN_GAP * after.size ? ' ' : ''
}

/** How far a letter must stand above its line's baseline, and below it, to be raised or lowered, in the line's sizes. */
const SCRIPT = { up: 0.12, down: 0.06 }

/** The way a glyph of a line looks; what stands raised or lowered takes the size of the letters beside it. */
function styleOf({ glyph, v, size, isBold }: Placed, line: Line, styles: StyleBook): TextStyle {
  const raised = (line.base - v) / line.size
  const script = size > RAISED.size * line.size ? undefined : raised > SCRIPT.up ? 'super' : raised < -SCRIPT.down ? 'sub' : undefined
  return styles.styleOf(glyph, script ? { size: line.size, isBold, script } : { size, isBold })
}

/** A line's glyphs as pieces: parted at wide gaps, words parted by spaces. */
function piecesOf(line: Line, styles: StyleBook): Piece[] {
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
    const isParted = gap > Math.max(LEAST_PARTED, PARTED * Math.max(glyph.size, last?.size ?? 0))
    if (!piece || !last || isParted) pieces.push({ left: glyph.u, right, base, size, text: glyph.text, letters: [letter] })
    else {
      const isApart = hasSpace ? gap > SPACED_GAP * glyph.size : gap > GAP * glyph.size && !CLOSING.test(glyph.text)
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
    const lines = joined(linesOf(once(glyphs.map((glyph) => placed(glyph, direction, page)))))
    return { ...direction, pieces: lines.flatMap((line) => piecesOf(line, styles)) }
  })
