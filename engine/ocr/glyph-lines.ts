import type { Glyph } from '../pdf/page-model.ts'

/** Glyphs that stand together on one baseline, in the frame of that: `u` along, `v` across, in points. */
export interface GlyphLine {
  readonly glyphs: readonly LineGlyph[]
  readonly angle: number
  readonly from: number
  readonly to: number
  readonly base: number
  readonly size: number
}

/** A glyph of a line and where its middle is. */
export interface LineGlyph {
  readonly glyph: Glyph
  readonly left: number
  readonly right: number
}

/** A gap of so many sizes ends a line, so that no table's cells are read as one. */
const GAP = 1.6
/** A line longer than this, in sizes, is read in parts: a short one is read faster, and where its letters are is told more exactly. */
const LONGEST = 24
const SAME_BASE = 0.25
/** The same glyph painted again so near only looks bold. */
const TWICE = 0.25
const STEPS = 720

interface Placed extends LineGlyph {
  readonly v: number
}

function placed(glyph: Glyph, angle: number): Placed {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const left = glyph.x * cos + glyph.y * sin
  return { glyph, left, right: left + glyph.advance, v: glyph.y * cos - glyph.x * sin }
}

/** Glyphs whose baselines are the same, from left to right. */
function rowsOf(glyphs: readonly Placed[]): Placed[][] {
  const rows: { v: number; size: number; glyphs: Placed[] }[] = []
  for (const one of glyphs.toSorted((a, b) => a.v - b.v)) {
    const { size } = one.glyph
    const row = rows.at(-1)
    if (row && one.v - row.v < SAME_BASE * Math.min(size, row.size)) row.glyphs.push(one)
    else rows.push({ v: one.v, size, glyphs: [one] })
  }
  return rows.map((row) => row.glyphs.toSorted((a, b) => a.left - b.left))
}

function lineOf(glyphs: readonly Placed[], angle: number): GlyphLine {
  const sizes = glyphs.map(({ glyph }) => glyph.size).toSorted((a, b) => a - b)
  const bases = glyphs.map(({ v }) => v).toSorted((a, b) => a - b)
  return {
    glyphs,
    angle,
    from: Math.min(...glyphs.map(({ left }) => left)),
    to: Math.max(...glyphs.map(({ right }) => right)),
    base: bases[bases.length >> 1] ?? 0,
    size: sizes[sizes.length >> 1] ?? 1,
  }
}

/** A row in parts: where there is a gap, where letters are of another size, and where it grows too long. */
function linesOfRow(row: readonly Placed[], angle: number): GlyphLine[] {
  const lines: Placed[][] = []
  for (const one of row) {
    const line = lines.at(-1)
    const [first, last] = [line?.[0], line?.at(-1)]
    if (!line || !first || !last) {
      lines.push([one])
      continue
    }
    const { size } = one.glyph
    if (last.glyph.code === one.glyph.code && last.glyph.font.id === one.glyph.font.id && one.left - last.left < TWICE * one.glyph.advance)
      continue
    const isApart = one.left - last.right > GAP * size || Math.max(size, last.glyph.size) > 1.6 * Math.min(size, last.glyph.size)
    if (isApart || one.right - first.left > LONGEST * size) lines.push([one])
    else line.push(one)
  }
  return lines.map((line) => lineOf(line, angle))
}

/** A page's glyphs that can be seen, by the lines they stand on; spaces stand for nothing here. */
export function glyphLines(glyphs: readonly Glyph[]): readonly GlyphLine[] {
  const byAngle = new Map<number, Placed[]>()
  for (const glyph of glyphs) {
    const { text, isHidden, font, size } = glyph
    if (isHidden || font.isVertical || size < 1 || (text !== '' && text.trim() === '')) continue
    const step = Math.round((glyph.angle / Math.PI) * STEPS)
    const angle = (step / STEPS) * Math.PI
    const own = byAngle.get(angle)
    if (own) own.push(placed(glyph, angle))
    else byAngle.set(angle, [placed(glyph, angle)])
  }
  return [...byAngle].flatMap(([angle, own]) => rowsOf(own).flatMap((row) => linesOfRow(row, angle)))
}
