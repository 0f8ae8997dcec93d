import type { SlideSpace } from './slide-space.ts'
import { clamped, lineXml, tabPlaces } from './text-line.ts'
import { hundredths, lookXml, shownSize } from './text-look.ts'
import { fitText, type SetText } from '../docx/fit.ts'
import { faceOf, measuredLines } from '../docx/measured-line.ts'
import { textWidth } from '../text-width.ts'
import { element, escapedText } from '../xml.ts'
import type { Paragraph } from '#engine/document/document-model'
import { joinedRuns, withSpaces } from '#engine/document/lines'

const ALIGN = { left: 'l', centre: 'ctr', right: 'r', justify: 'just' } as const

/** Where a paragraph's letters begin at the left. */
export const leftEnd = ({ lines }: Paragraph): number => Math.min(...lines.map(({ left }) => left))

/** The size of the largest letters, in points. */
export const sizeOfRuns = (runs: Paragraph['runs']): number => Math.max(1, ...runs.map(({ style }) => style.size))

/** The height a line is given: from baseline to baseline, and enough for its letters where it stands alone. */
export const lineHeight = ({ pitch, lines, runs }: Paragraph): number => (lines.length > 1 ? pitch : 1.2 * sizeOfRuns(runs))

/** What programs leave of a line's height below the baseline, in sizes: as much as the letters of most fonts go down, of either script. */
export const DESCENT = 0.2

/** How a paragraph's text goes on behind its lines: where they ended, or by the program that shows it. */
export interface Flow {
  /** Where its text may begin and has to end. */
  readonly left: number
  readonly right: number
  readonly isFlowing: boolean
  readonly xml: (space: SlideSpace) => string
}

/** Lines that stay lines, as they are told in a box that no line breaks in, or where each has its room. */
function brokenLines(paragraph: Paragraph, room: number): Flow {
  const { lines } = paragraph
  const style = lines[0].runs[0]?.style
  const xml = (space: SlideSpace): string => {
    const broken = element('a:br', {}, style ? lookXml('a:rPr', { style }, space) : undefined)
    return lines.map((line) => lineXml(line, paragraph, space, room)).join(broken)
  }
  return { left: leftEnd(paragraph), right: Math.max(...lines.map(({ right }) => right)), isFlowing: false, xml }
}

/** Text with what is added behind each of its letters, in points, between its sides. */
interface SpacedText {
  readonly texts: readonly Pick<SetText, 'text' | 'style' | 'spacing' | 'target'>[]
  readonly left: number
  readonly right: number
}

/** What is added behind each letter of text that other programs would rather set narrower or wider. */
const setSpacing = ({ text, style, spacing, scale }: SetText): number =>
  spacing + (scale === 100 ? 0 : (textWidth(text, faceOf(style), shownSize(style)) * (scale / 100 - 1)) / Math.max(1, [...text].length))

/** Room beyond a line's end that rounding may need, in points. */
const SLACK = 0.6

/**
 * Text whose every line is as wide as it was, so that the next word has no more room behind it than it had: by programs that leave gaps between
 * scripts, as LibreOffice does, and by those that leave none.
 */
function ownLines(paragraph: Paragraph): SpacedText {
  const size = sizeOfRuns(paragraph.runs)
  const lines = measuredLines(paragraph, shownSize).map((line) => {
    const gaps = line.stretches.reduce((sum, stretch) => sum + stretch.gaps, 0)
    return { ...line, withNext: line.right - gaps + line.next }
  })
  const end = Math.max(...lines.map((line) => line.right)) + SLACK
  // Where the next word had room, or nearly had, programs would not all agree.
  const isBroken = (line: (typeof lines)[number]): boolean => line.withNext < end + 0.5 * size
  // Fonts that stand in for others may be wider: lines get as much room as leaves the next word none.
  const most = Math.min(end + size, ...lines.slice(0, -1).flatMap((line) => (isBroken(line) ? [] : [line.withNext - 0.4 * size])))
  const right = paragraph.align === 'left' ? Math.max(end, most) : end
  const texts = lines.flatMap((line, at) => {
    const { stretches, join } = line
    return stretches.map(({ text, style, target, width, natural, gaps: own, count }, n) => {
      const isLast = n === stretches.length - 1
      const behind = at < lines.length - 1 && isBroken(line) ? '\n' : join
      const spacing = count === 0 ? 0 : clamped((width - natural - own) / count, style.size)
      return { text: isLast ? text + behind : text, style, target, spacing }
    })
  })
  return { texts, left: leftEnd(paragraph), right }
}

/** Text whose lines are filled to both sides by the program that shows it. */
function filledLines(paragraph: Paragraph): SpacedText {
  const sides = { left: leftEnd(paragraph), right: Math.max(...paragraph.lines.map((line) => line.right)) }
  const { texts, left, right } = fitText(paragraph, sides, shownSize)
  return { texts: texts.map((set) => ({ ...set, spacing: setSpacing(set) })), left: Math.min(left, sides.left), right: right + SLACK / 2 }
}

/** Tabs, and lines to be written on, beside which programs leave gaps of many kinds. */
const FIXED = /\t|__/

/**
 * Text that goes on from line to line by itself, so that people may go on writing in it, and whose lines end where they ended by its spacing. Undefined
 * where it has tabs or lines of a form, or words parted at a line's end, as slides know no soft hyphens.
 */
function flowingText(paragraph: Paragraph): Flow | undefined {
  const { lines, align } = paragraph
  if (lines.length < 2 || lines.some(({ runs }) => runs.some(({ text }) => FIXED.test(text)))) return undefined
  const { texts, left, right } = align === 'justify' ? filledLines(paragraph) : ownLines(paragraph)
  if (texts.some(({ text }) => text.includes('\u00ad'))) return undefined
  const xml = (space: SlideSpace): string =>
    texts
      .map(({ text, style, spacing, target }) => {
        const look = lookXml('a:rPr', { style, spacing, target, mayBreak: true }, space)
        const pieces = text
          .split('\n')
          .map((piece) => (piece === '' ? '' : element('a:r', {}, look, element('a:t', {}, escapedText(piece)))))
        return pieces.join(element('a:br', {}, look))
      })
      .join('')
  return { left, right, isFlowing: true, xml }
}

/** How a paragraph's text is set in a box or a cell; a cell breaks lines that are wider than the `room` it has. */
export function flowOf({ list, ...paragraph }: Paragraph, room = Infinity): Flow {
  if (!list) return flowingText(paragraph) ?? brokenLines(paragraph, room)
  // A list's mark is text as any other here, as it is in the paragraph's lines; LibreOffice forgets the tab behind it where other lines are set in.
  const [first, ...others] = paragraph.lines
  const lines: Paragraph['lines'] = others.length > 0 ? [withSpaces(first), ...others] : [first]
  const whole = { ...paragraph, lines, runs: joinedRuns(lines.map(({ runs }) => runs)) }
  return flowingText(whole) ?? brokenLines(whole, room)
}

/** A paragraph (`a:p`). `left` is where its text may begin, `above` what is free between it and the one before, in points. */
export function paragraphXml(paragraph: Paragraph, flow: Flow, left: number, space: SlideSpace, above = 0): string {
  const { lines, align } = paragraph
  const first = lines[0].left
  const others = lines[1]?.left ?? first
  // Aligned to another side, a line's own left end says nothing.
  const isLeft = align === 'left' || align === 'justify'
  const marL = isLeft ? space.length(Math.max(0, others - left)) : 0
  const indent = isLeft ? space.length(first - left) - marL : 0
  const places = [...new Set(lines.flatMap(tabPlaces).map((at) => space.length(Math.max(0, at - left))))].toSorted((a, b) => a - b)
  const height = lineHeight(paragraph) * space.scale
  const properties = element(
    'a:pPr',
    // LibreOffice forgets the tabs of a paragraph that tells its indent, were it none.
    { marL: marL || undefined, indent: indent || undefined, algn: align === 'justify' && !flow.isFlowing ? 'l' : ALIGN[align] },
    element('a:lnSpc', {}, element('a:spcPts', { val: hundredths(Math.min(1584, height)) })),
    element('a:spcBef', {}, element('a:spcPts', { val: hundredths(Math.min(1584, above * space.scale)) })),
    element('a:spcAft', {}, element('a:spcPts', { val: 0 })),
    element('a:buNone'),
    places.length > 0 ? element('a:tabLst', {}, ...places.map((pos) => element('a:tab', { pos, algn: 'l' }))) : undefined,
  )
  return element('a:p', {}, properties, flow.xml(space))
}
