import { withDottedRules } from './dotted-rules.ts'
import { asRectangle, boundsOf, boundsOfBox, isWithin, segments, type Bounds } from './outline.ts'
import type { Glyph, PageModel, Rule } from './page-model.ts'
import type { Painted, PaintedPath } from './painted.ts'

/*
 * What is drawn as a path where a letter might stand: browsers draw the marks of lists and boxes to be ticked, and forms the lines to be written on. As
 * letters they stay in their line when its text is changed.
 */

/** Sides of a mark, in points, and how unequal they may be. */
const SIDES = { least: 1.8, most: 14, unequal: 0.2 }
/** More of them on a page are no marks of text but a chart's. */
const MOST = 100
/** How far before its text a mark stands, and how high its middle above the baseline, in sizes. */
const BEFORE = { least: -0.1, most: 2.4 }
const ABOVE = { least: 0.02, most: 0.8 }
/** No other letter stands so near before the mark of a list, in sizes. */
const FIRST = 1.5
/** Smaller ones, in sizes, are bullets; larger ones signs of their own. */
const SMALL = { round: 0.5, square: 0.58 }

/** A line to be written on begins or ends so near to a letter, in sizes, and lies so far below its baseline. */
const BLANK = { beside: 1, above: 0.12, below: 0.5, least: 1.2 }
/** How wide an underscore is, in sizes; lines as long as most of the page part things. */
const UNDERSCORE = 0.5
const LONGEST = 0.6
/** A longer line, in sizes, is written on behind a colon only: behind a heading it is an ornament. */
const LONG = 10
/** Lines that meet this near, in points, are those of a grid. */
const MEETS = 1.5

const isShown = ({ angle, isHidden, text }: Glyph): boolean => Math.abs(angle) < 0.01 && !isHidden && text.trim() !== ''

/** A letter that was drawn, beside one that was written. */
const letterBeside = ({ y, size, font }: Glyph, text: string, x: number, advance: number, colour: string): Glyph => {
  const { id: _, glyphOf: __, isUnmapped: ___, ...plain } = font
  return { text, x, y, advance, size, angle: 0, font: { ...plain, isBold: false }, colour, isHidden: false, isOutlined: false }
}

interface DrawnMark {
  readonly path: PaintedPath
  readonly bounds: Bounds
  readonly isRound: boolean
  readonly isFilled: boolean
}

/** A small circle or square, filled or drawn around. */
function markOf(path: PaintedPath): DrawnMark | undefined {
  const { outline, fill, stroke, composed } = path
  if (composed || (fill === undefined) === (stroke === undefined) || fill?.gradient) return undefined
  const bounds = boundsOf(outline)
  if (!bounds) return undefined
  const [wide, high] = [bounds[2] - bounds[0], bounds[3] - bounds[1]]
  const longer = Math.max(wide, high)
  if (Math.min(wide, high) < SIDES.least || longer > SIDES.most || Math.abs(wide - high) > SIDES.unequal * longer) return undefined
  let [curves, lines] = [0, 0]
  segments(outline, (code) => {
    if (code === 2 || code === 3) curves++
    if (code === 1) lines++
  })
  const isRound = curves >= 4 && lines === 0
  if (!isRound && asRectangle(outline) === undefined) return undefined
  return { path, bounds, isRound, isFilled: fill !== undefined }
}

function signOf({ bounds, isRound, isFilled }: DrawnMark, size: number): string {
  const isSmall = bounds[3] - bounds[1] < (isRound ? SMALL.round : SMALL.square) * size
  if (isRound) return isSmall ? (isFilled ? '•' : '◦') : isFilled ? '●' : '○'
  return isSmall ? (isFilled ? '▪' : '▫') : isFilled ? '■' : '□'
}

/** Letters by their baselines, so that what is drawn finds those near by. */
class Lines {
  readonly #glyphs: readonly Glyph[]
  readonly #largest: number

  constructor(glyphs: readonly Glyph[]) {
    this.#glyphs = glyphs.filter(isShown).toSorted((one, other) => one.y - other.y)
    this.#largest = this.#glyphs.reduce((most, { size }) => Math.max(most, size), 0)
  }

  /** Letters whose baselines lie so far below a place, between two shares of their sizes, from the left. */
  below(at: number, least: number, most: number): readonly Glyph[] {
    let [low, high] = [0, this.#glyphs.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#glyphs[middle]?.y ?? 0) < at + Math.min(0, least) * this.#largest) low = middle + 1
      else high = middle
    }
    const found: Glyph[] = []
    for (let glyph = this.#glyphs[low]; glyph && glyph.y <= at + most * this.#largest; glyph = this.#glyphs[++low]) {
      const far = glyph.y - at
      if (far > least * glyph.size && far < most * glyph.size) found.push(glyph)
    }
    return found.toSorted((one, other) => one.x - other.x)
  }
}

/** The letter that a mark stands before; only an empty square may stand within its line. */
function letterAfter({ bounds, isRound, isFilled }: DrawnMark, lines: Lines): Glyph | undefined {
  const [left, top, right, bottom] = bounds
  const line = lines.below((top + bottom) / 2, ABOVE.least, ABOVE.most)
  const next = line.find(({ x, size }) => x - right > BEFORE.least * size && x - right < BEFORE.most * size)
  if (!next || bottom - top > 1.2 * next.size) return undefined
  const isAnywhere = !isRound && !isFilled
  const isFirst = !line.some(({ x, advance, size }) => x < left && x + advance > left - FIRST * size)
  return isFirst || isAnywhere ? next : undefined
}

/** Whether a line is one of a grid, or part of a longer one. */
const isOfGrid = (rule: Rule, rules: readonly Rule[]): boolean =>
  rules.some((other) => {
    if (other === rule) return false
    if (!other.isHorizontal) {
      return other.from - MEETS < rule.at && other.to + MEETS > rule.at && other.at > rule.from - MEETS && other.at < rule.to + MEETS
    }
    return Math.abs(other.at - rule.at) < MEETS && other.from < rule.to + MEETS && other.to > rule.from - MEETS
  })

/** Underscores for an empty line beside a letter. */
function blankOf(rule: Rule, lines: Lines, page: PageModel): { readonly beside: Glyph; readonly letters: readonly Glyph[] } | undefined {
  const length = rule.to - rule.from
  if (!rule.isHorizontal || length > LONGEST * page.width) return undefined
  const line = lines.below(rule.at, -BLANK.below, BLANK.above)
  if (line.some(({ x, advance, size }) => x + advance > rule.from + 0.2 * size && x < rule.to - 0.2 * size)) return undefined
  const before = line.findLast(({ x, advance, size }) => Math.abs(rule.from - x - advance) < BLANK.beside * size && x < rule.from)
  const after = line.find(({ x, size }) => Math.abs(x - rule.to) < BLANK.beside * size)
  const beside = before ?? after
  if (!beside || length < BLANK.least * beside.size || isOfGrid(rule, page.rules)) return undefined
  // What leads to a number at the line's end leads the eye.
  if (before && after && /^\d$/.test(after.text)) return undefined
  if (length > LONG * beside.size && !(before && /[:：]$/.test(before.text))) return undefined
  const count = Math.max(2, Math.round(length / (UNDERSCORE * beside.size)))
  const advance = length / count
  return {
    beside,
    letters: Array.from({ length: count }, (_, at) => letterBeside(beside, '_', rule.from + at * advance, advance, rule.colour)),
  }
}

const boundsOfRule = ({ isHorizontal, from, to, at }: Rule): Bounds => (isHorizontal ? [from, at, to, at] : [at, from, at, to])

/** A page whose drawn marks and empty lines are letters, and its lines of dots rules; and what is painted without the marks. */
export function withDrawnMarks(
  asRead: PageModel,
  painted: readonly Painted[],
): { readonly page: PageModel; readonly painted: readonly Painted[] } {
  const page = withDottedRules(asRead)
  const lines = new Lines(page.glyphs)
  const marks = painted.flatMap((one) => (one.kind === 'path' ? (markOf(one) ?? []) : []))
  const added = new Map<Glyph, Glyph[]>()
  const add = (beside: Glyph, letters: readonly Glyph[]): void => void added.set(beside, [...(added.get(beside) ?? []), ...letters])
  const gone = new Set<Painted>()
  const taken: Bounds[] = []
  for (const mark of marks.length > MOST ? [] : marks) {
    const next = letterAfter(mark, lines)
    if (!next) continue
    const [left, , right] = mark.bounds
    const { fill, stroke } = mark.path
    add(next, [letterBeside(next, signOf(mark, next.size), left, right - left, (fill ?? stroke)?.colour ?? next.colour)])
    gone.add(mark.path)
    taken.push(mark.bounds)
  }
  const isTaken = (bounds: Bounds): boolean => taken.some((one) => isWithin(bounds, one, 1))
  const blanks = new Set<Rule>()
  for (const rule of page.rules.length > MOST * 5 ? [] : page.rules) {
    const blank = isTaken(boundsOfRule(rule)) ? undefined : blankOf(rule, lines, page)
    if (!blank) continue
    add(blank.beside, blank.letters)
    blanks.add(rule)
  }
  if (added.size === 0) return { page, painted }
  const isBlank = (one: Painted): boolean => {
    const bounds = one.kind === 'path' ? boundsOf(one.outline) : undefined
    return bounds !== undefined && [...blanks].some((rule) => isWithin(bounds, boundsOfRule(rule), 1))
  }
  const { slants } = page
  return {
    page: {
      ...page,
      glyphs: page.glyphs.flatMap((glyph) => {
        const beside = added.get(glyph)
        return beside ? [...beside, glyph].toSorted((one, other) => one.x - other.x) : glyph
      }),
      rules: page.rules.filter((rule) => !blanks.has(rule) && !isTaken(boundsOfRule(rule))),
      fills: page.fills.filter((fill) => !isTaken(boundsOfBox(fill))),
      ...(slants && { slants: slants.filter((slant) => !isTaken(boundsOfBox(slant))) }),
    },
    painted: painted.filter((one) => !gone.has(one) && !isBlank(one)),
  }
}
