import type { LinkTarget, Paragraph, TextStyle } from '#engine/document/document-model'
import { isWide } from '../text-width.ts'
import { measuredLines, type MeasuredLine, type SizeOf, type Stretch } from './measured-line.ts'

/** Text set alike. Tabs, line breaks and soft hyphens are characters of it. */
export interface SetText {
  readonly text: string
  readonly style: TextStyle
  readonly target?: LinkTarget | undefined
  readonly note?: number | undefined
  /** What is added behind each letter, in points. */
  readonly spacing: number
  /** How wide its letters are set, in percent. */
  readonly scale: number
}

/** A paragraph's text so spaced that its lines end where they ended, between these sides. */
export interface FittedText {
  readonly texts: readonly SetText[]
  readonly left: number
  readonly right: number
}

/** The sides of a column or a cell. */
export interface Sides {
  readonly left: number
  readonly right: number
}

/** Letters go no closer and no further apart, in sizes; then they are made narrower, down to this part. */
const [CLOSEST, WIDEST, NARROWEST] = [-0.12, 1.2, 0.3]
/** From where on letters are made narrower or wider instead of being moved, as a share of their width. */
const SCALED = 0.1
/** What of a line's width is used: the rest is what programs round. */
const SAFE = 0.998
/** Room beyond a line's end that rounding may need, in points. */
const SLACK = 0.4

const sizeOf = ({ stretches }: MeasuredLine): number => Math.max(1, ...stretches.map(({ style }) => style.size))

const hasTabs = (lines: readonly MeasuredLine[]): boolean =>
  lines.some(({ stretches }) => stretches.some(({ text }) => text.includes('\t')))

/** Lines that were ended by hand: what follows would have had room before the right side. */
function withBreaks(lines: readonly MeasuredLine[], align: Paragraph['align']): MeasuredLine[] {
  const isMoved = align === 'centre' || align === 'right'
  const ends = lines.map(({ left, right }) => (isMoved ? right - left : right))
  const furthest = Math.max(...ends)
  return lines.map((line, at) => {
    const isShort = (ends[at] ?? 0) + line.next < furthest - 0.5 * sizeOf(line)
    return at < lines.length - 1 && isShort ? { ...line, join: '\n', next: 0 } : line
  })
}

/** The right side that lets all lines end where they ended: a column's own where that does. */
function rightSide(lines: readonly MeasuredLine[], { right: side }: Sides, align: Paragraph['align']): number {
  const furthest = Math.max(...lines.map(({ right }) => right))
  if (align === 'right') return furthest
  if (lines.length === 1) return Math.max(side, furthest + 0.02 * (furthest - Math.min(...lines.map(({ left }) => left))) + 2)
  if (align === 'justify') return furthest + SLACK
  const soonest = Math.min(...lines.filter(({ next }) => next > 0).map(({ right, next }) => right + next))
  if (side >= furthest && side < soonest - SLACK) return side
  return furthest + Math.max(SLACK, Math.min(soonest - furthest, 12) / 2)
}

/** How wide letters of each style are set in place of moving them, in percent. */
function scaleOf(stretches: readonly Stretch[]): (style: TextStyle) => number {
  const sums = new Map<TextStyle, { width: number; natural: number; wide: number; count: number }>()
  for (const { text, style, width, natural, count } of stretches) {
    if (text.includes('\t')) continue
    const sum = sums.get(style) ?? { width: 0, natural: 0, wide: 0, count: 0 }
    const wide = [...text].filter((one) => isWide(one)).length
    sums.set(style, { width: sum.width + width, natural: sum.natural + natural, wide: sum.wide + wide, count: sum.count + count })
  }
  return (style) => {
    const sum = sums.get(style)
    if (!sum || sum.count < 3 || sum.wide > 0.3 * sum.count || sum.natural === 0) return 100
    const ratio = sum.width / sum.natural
    return Math.abs(ratio - 1) < SCALED ? 100 : Math.round(100 * Math.max(0.5, Math.min(1.6, ratio)))
  }
}

/** What is added behind each letter of a line, in points, so that it has its own width. */
const ownSpacing = (line: MeasuredLine, natural: number): number =>
  line.count === 0 ? 0 : ((line.right - line.left) * SAFE - natural) / line.count

/** What is added behind each letter of a paragraph. Justified lines are wider than their letters: the closest quarter tells. */
function commonSpacing(lines: readonly MeasuredLine[], naturals: readonly number[], align: Paragraph['align']): number {
  if (align === 'justify') {
    const sorted = lines
      .slice(0, -1)
      .map((line, at) => ownSpacing(line, naturals[at] ?? 0))
      .toSorted((a, b) => a - b)
    return sorted[Math.floor(sorted.length / 4)] ?? 0
  }
  const count = lines.reduce((sum, line) => sum + line.count, 0)
  const missing = lines.reduce((sum, line, at) => sum + line.right - line.left - (naturals[at] ?? 0), 0)
  return count === 0 ? 0 : missing / count
}

/** Each line's spacing: the paragraph's where the line then ends where it ended, else its own. */
function spacingsOf(lines: readonly MeasuredLine[], naturals: readonly number[], align: Paragraph['align'], right: number): number[] {
  const common = commonSpacing(lines, naturals, align)
  return lines.map((line, at) => {
    const own = ownSpacing(line, naturals[at] ?? 0)
    if (lines.length === 1) return own
    const end = line.left + (naturals[at] ?? 0) + common * line.count
    const isLast = at === lines.length - 1
    const isFitting = end <= right - SLACK / 2 && (isLast || line.join === '\n' || end + line.next > right + SLACK / 2)
    const isNear = align === 'justify' ? !isLast : Math.abs(end - line.right) < 1.5
    return isFitting && isNear ? common : own
  })
}

const withJoin = (text: string, join: string): string => (join === '\u00ad' ? text.replace(/[-\u2010]$/, join) : text + join)

/** Text as it is set: where letters would come too close they are made narrower. */
function setText({ text, style, target, note, natural, count }: Stretch, spacing: number, scale: number): SetText {
  const tight = CLOSEST * style.size
  const isTight = spacing < tight && natural > 0
  const narrower = isTight ? Math.max(NARROWEST, 1 + ((spacing - tight) * count) / natural) : 1
  const points = Math.min(WIDEST * style.size, Math.max(tight, spacing))
  return { text, style, target, note, spacing: points, scale: Math.floor(scale * narrower) }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** A line that stands alone: each run as wide as it was, and what is between them in equal parts. */
function runByRun(line: MeasuredLine, scale: (style: TextStyle) => number, tabbed: boolean): SetText[] {
  const { stretches } = line
  const spacings = stretches.map(({ style, width, natural, count }) => (count === 0 ? 0 : (width - (natural * scale(style)) / 100) / count))
  const rest = (line.right - line.left) * SAFE - sum(stretches.map(({ width, gaps }) => width + gaps))
  const more = tabbed || line.count === 0 ? 0 : rest / line.count
  return stretches.map((stretch, at) => {
    if (stretch.text.includes('\t')) return { ...setText(stretch, 0, 100), spacing: 0 }
    return setText(stretch, (spacings[at] ?? 0) + more, scale(stretch.style))
  })
}

/** The line's end belongs to its last text. */
const joined = (texts: readonly SetText[], { join }: MeasuredLine): SetText[] =>
  texts.map((one, at) => (at === texts.length - 1 ? { ...one, text: withJoin(one.text, join) } : one))

/** What is added behind a letter as Word is told it, in twentieths of a point. */
export const wordSpacing = (points: number): number => Math.floor(points * 20)

/** How far a line reaches as it is set. */
const reach = (line: MeasuredLine, texts: readonly SetText[]): number =>
  line.left +
  sum(
    line.stretches.map(
      ({ natural, gaps, count }, at) =>
        gaps + (natural * (texts[at]?.scale ?? 100)) / 100 + (count * wordSpacing(texts[at]?.spacing ?? 0)) / 20,
    ),
  )

/** Sets a paragraph between its column's sides. `sizes` is what a format makes of them; Word's where it is left out. */
export function fitText(paragraph: Paragraph, sides: Sides, sizes?: SizeOf): FittedText {
  const { align } = paragraph
  const measured = measuredLines(paragraph, sizes)
  const lines = measured.length > 1 ? withBreaks(measured, align) : measured
  const scale = scaleOf(lines.flatMap(({ stretches }) => stretches))
  const right = rightSide(lines, sides, align)
  const [only] = lines
  const tabs = hasTabs(lines)
  if (only && (lines.length === 1 || tabs)) {
    const set = lines.map((line) => runByRun(line, scale, tabs))
    const furthest = lines.length === 1 && !tabs && align !== 'right' ? reach(only, set[0] ?? []) + SLACK : right
    return { left: paragraph.left, right: Math.max(right, furthest), texts: lines.flatMap((line, at) => joined(set[at] ?? [], line)) }
  }
  const naturals = lines.map(({ stretches }) => sum(stretches.map(({ natural, gaps, style }) => (natural * scale(style)) / 100 + gaps)))
  const spacings = spacingsOf(lines, naturals, align, right)
  const texts = lines.flatMap((line, at) =>
    joined(
      line.stretches.map((stretch) => setText(stretch, spacings[at] ?? 0, scale(stretch.style))),
      line,
    ),
  )
  return { left: paragraph.left, right, texts }
}
