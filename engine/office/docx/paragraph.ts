import type { Paragraph, Picture } from '#engine/document/document-model'
import { twips } from '../units.ts'
import { element } from '../xml.ts'
import type { PartContext } from './context.ts'
import { fitText, type FittedText, type Sides } from './fit.ts'
import { faceOf } from './measured-line.ts'
import { textWidth } from '../text-width.ts'
import type { Place } from './place.ts'
import { runsXml } from './runs.ts'

/** What else a paragraph may be. */
export interface ParagraphChange {
  readonly style?: string | undefined
  readonly after?: number | undefined
  readonly beginsPage?: boolean | undefined
  /** It stands on one page with what follows it. */
  readonly isKept?: boolean | undefined
  /** Properties of a frame it stands in. */
  readonly frame?: string | undefined
  /** The section that ends with it. */
  readonly section?: string | undefined
  /** Runs and bookmarks before its text. */
  readonly head?: string | undefined
}

const JUSTIFICATION = { left: 'left', centre: 'center', right: 'right', justify: 'both' } as const

const tabsXml = ({ stops, list, firstLeft }: Paragraph, left: number): string | undefined => {
  const all = [...(list ? [{ at: firstLeft, align: 'left' as const, leader: undefined }] : []), ...stops].toSorted((a, b) => a.at - b.at)
  const seen = new Set<number>()
  const xml = all.map(({ at, align, leader }) => {
    const position = twips(at - left)
    if (seen.has(position)) return undefined
    seen.add(position)
    const fill = leader === undefined ? undefined : { '.': 'dot', '-': 'hyphen' }[leader]
    return element('w:tab', { 'w:val': align === 'centre' ? 'center' : align, 'w:leader': fill, 'w:pos': position })
  })
  return xml.length === 0 ? undefined : element('w:tabs', {}, ...xml)
}

interface Indents {
  readonly left: number
  readonly right: number
  readonly first: number
}

/** A paragraph's sides as indents from those of the column that Word sets it in. */
function indents(paragraph: Paragraph, fitted: FittedText, column: Sides): Indents {
  const { align, lines, firstLeft, list } = paragraph
  const right = column.right - fitted.right
  if (align === 'right') return { left: Math.min(0, paragraph.left - column.left), right, first: 0 }
  if (align === 'centre') {
    const middle = (Math.min(...lines.map((line) => line.left)) + Math.max(...lines.map((line) => line.right))) / 2
    const half = Math.max(Math.min(middle - column.left, column.right - middle), (fitted.right - paragraph.left) / 2)
    return { left: middle - half - column.left, right: column.right - middle - half, first: 0 }
  }
  const left = lines.length === 1 ? firstLeft : paragraph.left
  return { left: left - column.left, right, first: (list ? list.left : firstLeft) - left }
}

const indentXml = ({ left, right, first }: Indents): string =>
  element('w:ind', {
    'w:left': twips(left),
    'w:right': twips(right),
    ...(first >= 0 ? { 'w:firstLine': twips(first) } : { 'w:hanging': twips(-first) }),
  })

/** Whether a mark leaves so much room before its text that a tab stands there. */
function isMarkApart({ list, firstLeft }: Paragraph): boolean {
  return list !== undefined && firstLeft - list.left - textWidth(list.text, faceOf(list.style), list.style.size) > 0.2 * list.style.size
}

/** A list's mark as text, where no numbering writes it. */
function withMark(paragraph: Paragraph, { texts, ...frame }: FittedText): FittedText {
  const { list } = paragraph
  if (!list) return { texts, ...frame }
  const text = isMarkApart(paragraph) ? `${list.text}\t` : list.text
  return { ...frame, texts: [{ text, style: list.style, spacing: 0, scale: 100 }, ...texts] }
}

/** A paragraph between the sides of the column Word sets it in; `limits` are those its own text has. Properties in the schema's order (CT_PPr). */
export function paragraphXml(
  paragraph: Paragraph,
  { column, limits }: { readonly column: Sides; readonly limits: Sides },
  { before, line }: Place,
  context: PartContext,
  change: ParagraphChange = {},
): string {
  const { heading, list, align } = paragraph
  const place = list && context.numbering.place(list, isMarkApart(paragraph))
  const fitted = fitText(paragraph, limits)
  const { texts } = place ? fitted : withMark(paragraph, fitted)
  const style = change.style ?? (heading === undefined ? (place ? 'ListParagraph' : undefined) : `Heading${Math.min(heading, 6)}`)
  const properties = element(
    'w:pPr',
    {},
    style === undefined ? undefined : element('w:pStyle', { 'w:val': style }),
    change.isKept === true ? element('w:keepNext') : undefined,
    change.beginsPage === true ? element('w:pageBreakBefore') : undefined,
    change.frame,
    place && element('w:numPr', {}, element('w:ilvl', { 'w:val': place.level }), element('w:numId', { 'w:val': place.id })),
    tabsXml(paragraph, column.left),
    element('w:spacing', { 'w:before': before, 'w:after': change.after ?? 0, 'w:line': line, 'w:lineRule': 'exact' }),
    indentXml(indents(paragraph, fitted, column)),
    element('w:jc', { 'w:val': JUSTIFICATION[align] }),
    change.section,
  )
  return element('w:p', {}, properties, change.head, runsXml(texts, context))
}

/** A paragraph with no text, as high as it is told: what holds a place, a break or a section's end. */
export function emptyParagraph({ before, line }: Place, change: ParagraphChange = {}): string {
  const properties = element(
    'w:pPr',
    {},
    change.style === undefined ? undefined : element('w:pStyle', { 'w:val': change.style }),
    change.isKept === true ? element('w:keepNext') : undefined,
    change.beginsPage === true ? element('w:pageBreakBefore') : undefined,
    change.frame,
    element('w:spacing', { 'w:before': before, 'w:after': change.after ?? 0, 'w:line': line, 'w:lineRule': 'exact' }),
    change.section,
  )
  return element('w:p', {}, properties, change.head)
}

/** A paragraph that holds a picture, as high as that. */
export function pictureParagraph({ left, right }: Picture, column: Sides, before: number, change: ParagraphChange): string {
  const properties = element(
    'w:pPr',
    {},
    change.isKept === true ? element('w:keepNext') : undefined,
    change.beginsPage === true ? element('w:pageBreakBefore') : undefined,
    element('w:spacing', { 'w:before': before, 'w:after': change.after ?? 0, 'w:line': 240, 'w:lineRule': 'auto' }),
    element('w:ind', { 'w:left': twips(left - column.left), 'w:right': Math.min(0, twips(column.right - right)) }),
    change.section,
  )
  return element('w:p', {}, properties, change.head)
}
