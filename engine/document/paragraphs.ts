import { alignOf, type Sides } from './align.ts'
import type { Line, ListMark, Paragraph } from './document-model.ts'
import { joinedRuns, lineOf, withSpaces } from './lines.ts'
import { markOf, type FoundMark } from './list-marks.ts'
import { isHan, type Letter, type Piece } from './pieces.ts'

/** Pieces beside one another, from the left. */
export type PieceRow = readonly [Piece, ...Piece[]]

/** A line ends a sentence. */
const ENDS = /[.!?:;。！？：；…”"’)）]$/
/** How far lines reach is told by so many above and below: a page's head and foot may reach further than its text. */
const AROUND = 4
/** What a line of letters needs, in sizes, where nothing tells it. */
const SINGLE_PITCH = 1.3
/** Lines further apart than this are not of one paragraph, in sizes. */
const FARTHEST = 2.45
/** Lines of one paragraph are as far apart as lines mostly are: not this many times as far. */
const WIDER = 1.22
/** Lines of one paragraph stand unevenly by so much, in sizes. */
const UNEVEN = 0.28
/** Lines begin at one place where they are no further apart, in sizes; the first one may stand this much further right, or left. */
const SAME_LEFT = 0.7
const MOST_INDENT = 4.6
/** Sizes are one that differ by less than this share. */
const SAME_SIZE = 0.12
/** Lines that reach all but this far are full; so large a share of lines that belong together are, where that tells their measure. */
const NEARLY = 1
const FULL_SHARE = 0.4
/** Edges no further apart are one, in points. */
const SAME_EDGE = 1.6
/** So many lines that are nearly as long as one another are so by more than chance. */
const MANY_FULL = 3
/** A line that is a date by itself, as under a letter. */
const DATE = /^(?:\d{4}|[〇○零一二三四五六七八九]{4})\s?年\s?[\d〇一二三四五六七八九十]{1,2}\s?月\s?[\d〇一二三四五六七八九十]{1,3}\s?日$/
/** A line that begins with what it tells: a label and a colon. */
const LABELLED = /^[\p{L}\p{N} ]{1,8}[：:]/u
/** Text behind a gap goes on in the line below, under its own beginning, where it is at least so wide, in sizes. */
const HANGING = 12
/** Words at a side, or in the middle, that are parted by no more than this, in sizes, are moved together. */
const WIDE_GAP = 6
/** A list's mark stands this near to its text, in sizes. */
const MARK_GAP = 4

interface Open {
  readonly rows: PieceRow[]
  readonly mark: FoundMark | undefined
  /** How far a line may reach, and how far apart lines mostly are. */
  readonly right: number
  readonly usual: number
  pitch: number | undefined
}

const isSameSize = (a: Piece, b: Piece): boolean => Math.abs(a.size - b.size) < SAME_SIZE * Math.min(a.size, b.size) + 0.2

/** Whether all letters of a line are bold, or none of them; undefined where some are. */
function boldness(letters: readonly Letter[]): boolean | undefined {
  const bold = letters.filter(({ style }) => style.isBold).length
  return bold === 0 ? false : bold === letters.length ? true : undefined
}

/** Whether a line's look is another altogether: a heading's and a text's. */
const isOtherLook = (a: Piece, b: Piece): boolean => {
  const [before, after] = [boldness(a.letters), boldness(b.letters)]
  return before !== undefined && after !== undefined && before !== after
}

/** Whether a line begins where those of a paragraph do. */
function isAligned({ rows, mark }: Open, { left, size }: Piece): boolean {
  const [first, second] = [rows[0], rows[1]]
  if (!first) return false
  const near = (place: number): boolean => Math.abs(left - place) < SAME_LEFT * size
  if (second) return near(second[0].left)
  // Behind a mark that is wider than its room the text begins further right than it goes on.
  const slack = SAME_LEFT * size
  if (mark?.textLeft !== undefined && left > first[0].left - slack && left < mark.textLeft + slack) return true
  const last = first.at(-1)
  if (first.length > 1) return near(first[0].left) || (last !== undefined && near(last.left) && last.right - last.left > HANGING * size)
  return left <= first[0].left + SAME_LEFT * size && left >= first[0].left - MOST_INDENT * size
}

/** Whether a mark is the one that comes after another in a list. */
const isNextMark = ({ kind, mark }: FoundMark, before: FoundMark | undefined): boolean =>
  before?.kind === kind && mark.number === (before.mark.number ?? NaN) + 1 && Math.abs(before.mark.left - mark.left) < SAME_EDGE

/** Whether a line is a statement of its own, whatever the one before says: a date, or another label and what it stands for. */
const isOwn = (text: string, { rows }: Open): boolean =>
  DATE.test(text) || (LABELLED.test(text) && [rows[0]?.[0], rows.at(-1)?.at(-1)].some((piece) => LABELLED.test(piece?.text ?? '')))

/** Whether a line goes on where a paragraph's last one ended, which must have come near the end of its column. */
function continues(open: Open, row: PieceRow): boolean {
  const [piece] = row
  const last = open.rows.at(-1)?.at(-1)
  if (!last || row.length > 1 || (open.rows.at(-1)?.length ?? 0) > 2) return false
  const step = piece.base - last.base
  const slack = 0.18 * piece.size + 0.6
  const isNext = open.pitch === undefined ? step < WIDER * open.usual + slack : Math.abs(step - open.pitch) < UNEVEN * piece.size + 0.6
  if (!isNext || step < 0.5 * piece.size || step > FARTHEST * piece.size || !isSameSize(piece, last)) return false
  const firstWord = isHan(piece.text.slice(0, 1)) ? piece.size : (/^\S+/.exec(piece.text)?.[0].length ?? 1) * 0.5 * piece.size
  const isFull = last.right + firstWord > open.right - 0.5 * piece.size
  if (!isFull || !isAligned(open, piece) || isOtherLook(last, piece) || isOwn(piece.text, open)) return false
  const mark = markOf(piece)
  if (!mark) return true
  // A number at the head of a line may be one of a sentence; then the line before is full, and the sentence goes on.
  const isOfSentence = mark.mark.number !== undefined && mark.textLeft !== undefined && !ENDS.test(last.text)
  return isOfSentence && last.right > open.right - piece.size && !isNextMark(mark, open.mark)
}

/** A list's mark and its text as one piece where a wide gap parts them. */
function withMark([first, second, ...rest]: PieceRow): PieceRow {
  const last = first.letters.at(-1)
  const mark = second && last && second.left - first.right < MARK_GAP * second.size ? markOf(first) : undefined
  if (!second || !last || mark?.letters !== first.letters.length || mark.textLeft !== undefined)
    return [first, ...(second ? [second, ...rest] : rest)]
  const gap = { text: '\t', left: first.right, right: second.left, style: last.style }
  const text = `${first.text}\t${second.text}`
  const whole = {
    left: first.left,
    right: second.right,
    base: second.base,
    size: second.size,
    text,
    letters: [...first.letters, gap, ...second.letters],
  }
  return [whole, ...rest]
}

/** Rows one under the other that may be lines of one text: which index each group begins at. */
function groupStarts(rows: readonly PieceRow[]): number[] {
  return rows.flatMap(([piece, ...others], at) => {
    const before = rows[at - 1]
    const isNext =
      before?.length === 1 && others.length === 0 && isSameSize(before[0], piece) && piece.base - before[0].base <= FARTHEST * piece.size
    return isNext ? [] : [at]
  })
}

interface Measure {
  readonly right: number
  readonly usual: number
}

/** How far the lines of each row's text reach, and how far apart they mostly are. */
function measuresOf(rows: readonly PieceRow[], sides: Sides): Measure[] {
  const starts = groupStarts(rows)
  return starts.flatMap((start, index) => {
    const group = rows.slice(start, starts[index + 1])
    const size = group[0]?.[0].size ?? 1
    const rights = group.map((row) => row.at(-1)?.right ?? 0)
    const longest = Math.max(...rights)
    const full = rights.filter((right) => right > longest - NEARLY * size).length
    const steps = group.slice(1).map(([piece], at) => piece.base - (group[at]?.[0].base ?? 0))
    const usual = steps.toSorted((a, b) => a - b)[Math.floor(0.3 * steps.length)] ?? Infinity
    const isByChance = full < MANY_FULL && rights.filter((right) => right > longest - SAME_EDGE).length < 2
    const isTold = group.length > 2 && full > 1 && full >= FULL_SHARE * group.length && !isByChance
    return group.map((_, at): Measure => {
      const around = rows.slice(Math.max(0, start + at - AROUND), start + at + AROUND + 1)
      const alone = around.flatMap(([piece, ...others]) => (others.length > 0 ? [] : [piece.right]))
      return { right: isTold ? longest : sides.isCell ? sides.right : Math.max(longest, ...alone), usual }
    })
  })
}

/** So many paragraphs may stand between two items of one list. */
const APART = 6

/**
 * Whether a marked paragraph is a list's item: with a bullet, or where its text hangs behind its number, or one with the number before or after stands near.
 */
function isItem(opened: readonly Open[], at: number): boolean {
  const { mark, rows } = opened[at] ?? {}
  if (mark?.textLeft === undefined || mark.kind.startsWith('第')) return false
  const { number, left } = mark.mark
  const second = rows?.[1]
  if (number === undefined || (second && Math.abs(second[0].left - mark.textLeft) < SAME_EDGE && mark.textLeft - left > SAME_EDGE))
    return true
  return opened.slice(Math.max(0, at - APART), at + APART + 1).some((other) => {
    const found = other.mark
    return found?.kind === mark.kind && Math.abs((found.mark.number ?? NaN) - number) === 1 && Math.abs(found.mark.left - left) < SAME_EDGE
  })
}

/** How deep each item is: an item further right than the one before is within it. */
function levelsOf(opened: readonly Open[]): (number | undefined)[] {
  let lefts: number[] = []
  return opened.map(({ mark }, at) => {
    if (!mark || !isItem(opened, at)) {
      // Text of an item's own goes on under it; other text ends the list.
      if ((opened[at]?.rows[0]?.[0].left ?? 0) < (lefts.at(-1) ?? Infinity) + SAME_EDGE) lefts = []
      return undefined
    }
    const { left } = mark.mark
    lefts = [...lefts.filter((one) => one < left - SAME_EDGE), left]
    return lefts.length - 1
  })
}

function paragraphOf({ rows, mark, pitch, right }: Open, level: number | undefined, sides: Sides): Paragraph {
  const set = rows.map((row) => lineOf(row, sides.isNote ? undefined : Math.min(right, sides.right)))
  const size = Math.max(...rows.flatMap((row) => row.map((piece) => piece.size)))
  const tabbed = set.map(({ line }) => line)
  const edges = alignOf(tabbed, sides, size)
  const isWide = tabbed.some((line) => line.runs.some(({ text, width }) => text === '\t' && width > WIDE_GAP * size))
  const align = isWide && edges !== 'justify' ? 'left' : edges
  const hasStops = align === 'left' || align === 'justify'
  const lines = hasStops ? tabbed : tabbed.map(withSpaces)
  const [first, ...rest] = lines as [Line, ...Line[]] // a paragraph is opened with a row
  const [start] = rows[0] ?? []
  const list: ListMark | undefined = mark && level !== undefined ? { ...mark.mark, level } : undefined
  const unmarked =
    mark && list && start
      ? [lineOf([{ ...start, letters: start.letters.slice(mark.letters) }, ...(rows[0] ?? []).slice(1)]).line, ...rest]
      : lines
  return {
    kind: 'paragraph',
    runs: joinedRuns(unmarked.map(({ runs }) => runs)),
    lines: [first, ...rest],
    align,
    firstLeft: (list && mark?.textLeft) ?? first.left,
    left: rest.length > 0 ? Math.min(...rest.map((line) => line.left)) : ((list && mark?.textLeft) ?? first.left),
    right: Math.max(...lines.map((line) => line.right)),
    top: first.top,
    bottom: Math.max(...lines.map(({ bottom }) => bottom)),
    pitch: pitch ?? SINGLE_PITCH * size,
    ...(list && { list }),
    stops: hasStops ? set.flatMap(({ stops }) => stops) : [],
  }
}

/** The paragraphs that a column's lines make, from its top. */
export function paragraphsOf(pieceRows: readonly PieceRow[], sides: Sides): Paragraph[] {
  const rows = sides.isNote ? pieceRows : pieceRows.map(withMark)
  const measures = measuresOf(rows, sides)
  const opened: Open[] = []
  for (const [at, row] of rows.entries()) {
    const open = opened.at(-1)
    const measure = measures[at] ?? { right: sides.right, usual: Infinity }
    if (open && continues({ ...open, ...measure }, row)) {
      open.rows.push(row)
      open.pitch = (row[0].base - (open.rows[0]?.[0].base ?? 0)) / (open.rows.length - 1)
    } else opened.push({ rows: [row], mark: sides.isNote ? undefined : markOf(row[0]), ...measure, pitch: undefined })
  }
  const levels = levelsOf(opened)
  return opened.map((open, at) => paragraphOf(open, levels[at], sides))
}
