import type { TextStyle } from './document-model.ts'
import type { Glyph } from '../pdf/page-model.ts'

/** A glyph in its line's own frame: `u` along, `v` across, growing from line to line. */
export interface Placed {
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
/** Between two brackets of one pair it is a place to write in up to this many sizes. */
const BLANK = 10
const OPENING = /^[(（[【〔]$/
const CLOSING = /^[)）\]】〕]$/
/** A baseline may lie this far from its line's, in sizes; small letters (raised, lowered) a little further. */
const BASE = 0.3
const RAISED = { base: 0.55, size: 0.85 }
/** A raised mark before a line has no more letters. */
const MARK_LENGTH = 4
/** Baselines no further apart are one, in points. */
const SAME_BASE = 0.1
/** How far a letter must stand above its line's baseline, and below it, to be raised or lowered, in the line's sizes. */
const SCRIPT = { up: 0.12, down: 0.06 }

/** Glyphs that stand on one baseline, without a wide gap between them. */
export interface BaseLine {
  base: number
  size: number
  readonly glyphs: Placed[]
  /** It went to another, which it is raised or lowered beside. */
  isTaken: boolean
}

const endOf = ({ u, advance }: Placed): number => u + advance

/** Glyphs by their baselines, from the top. */
function linesOf(glyphs: readonly Placed[]): BaseLine[] {
  const lines: BaseLine[] = []
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

/** Whether two letters are a pair of brackets to be written in. */
export const isPair = (before: Placed, after: Placed): boolean => OPENING.test(before.text) && CLOSING.test(after.text)

/** Whether the gap before a letter parts its line in two; an empty pair of brackets stays one. */
export const isParted = (before: Placed, after: Placed): boolean =>
  after.u - endOf(before) > Math.max(LEAST_PARTED, (isPair(before, after) ? BLANK : PARTED) * Math.max(before.size, after.size))

/** Whether small letters stand above or below a line's baseline; `raised` in the line's sizes. */
export const scriptOf = (raised: number, size: number, line: BaseLine): TextStyle['script'] =>
  size > RAISED.size * line.size ? undefined : raised > SCRIPT.up ? 'super' : raised < -SCRIPT.down ? 'sub' : undefined

/** A line parted at its wide gaps: what stands at one height in two columns has a size and a baseline in each. */
function partsOf(line: BaseLine): BaseLine[] {
  const parts: BaseLine[] = []
  let last: Placed | undefined
  for (const glyph of line.glyphs.toSorted((a, b) => a.u - b.u)) {
    const part = parts.at(-1)
    if (part && (!last || !isParted(last, glyph))) part.glyphs.push(glyph)
    else parts.push({ base: glyph.v, size: glyph.size, glyphs: [glyph], isTaken: false })
    if (glyph.text.trim() !== '') last = glyph
  }
  if (parts.length < 2) return [line]
  for (const part of parts) {
    settle(part)
    // A mark that stands away from the letters it belongs to is raised still; more letters are text of another size beside them.
    const isMark = part.glyphs.length <= MARK_LENGTH && scriptOf((line.base - part.base) / line.size, part.size, line) !== undefined
    if (isMark) [part.base, part.size] = [line.base, line.size]
  }
  return parts
}

/** Sizes are counted together by a quarter of a point. */
const SIZE_STEP = 4

/** Gives a line the size of most of its letters, and their baseline. */
function settle(line: BaseLine): void {
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
function isBeside(small: BaseLine, large: BaseLine): boolean {
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

/** Parts between which what was raised or lowered now stands as one again. */
function mended(parts: readonly BaseLine[]): BaseLine[] {
  const whole: BaseLine[] = []
  for (const part of parts) {
    const before = whole.at(-1)
    const end = before && before.glyphs.reduce((a, b) => (endOf(b) > endOf(a) ? b : a))
    const start = part.glyphs.reduce((a, b) => (b.u < a.u ? b : a))
    if (before && end && Math.abs(before.base - part.base) < SAME_BASE && !isParted(end, start)) before.glyphs.push(...part.glyphs)
    else whole.push(part)
  }
  return whole
}

/** Raised and lowered letters go to the line they belong to. */
function joined(lines: readonly (readonly BaseLine[])[]): BaseLine[] {
  for (const [at, parts] of lines.entries()) {
    const around = lines.slice(Math.max(0, at - 6), at + 7).flat()
    for (const line of parts) {
      for (const other of around) {
        if (other === line || other.isTaken || line.isTaken || !isBeside(other, line)) continue
        line.glyphs.push(...other.glyphs)
        other.isTaken = true
      }
    }
  }
  return lines.flatMap((parts) => mended(parts.filter(({ isTaken }) => !isTaken)))
}

/** Glyphs by the baselines they stand on, from the top; what stands at one height in two columns is parted. */
export const baseLines = (glyphs: readonly Placed[]): BaseLine[] => joined(linesOf(glyphs).map(partsOf))
