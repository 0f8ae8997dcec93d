import type { Block, PageLayout } from '#engine/document/document-model'
import { ABOVE } from './place.ts'
import { twips } from '../units.ts'
import { element } from '../xml.ts'
import type { Sides } from './fit.ts'

/**
 * A page's sides and what is left free around what stands on it, in points. Where text runs downwards, in the frame it runs in: lines go on to the
 * right there, which is down the page, and follow one another from its right side.
 */
export interface Geometry extends Sides {
  readonly width: number
  readonly height: number
  readonly top: number
  /** Where its text ends, its notes with it. */
  readonly bottom: number
  readonly hasNotes: boolean
}

/** What Word calls a section: pages, or a part of one, of the same shape. */
export interface Section {
  readonly geometry: Geometry
  /** Several columns side by side, or none. */
  readonly columns: readonly Sides[]
  readonly type: 'nextPage' | 'continuous'
  /** Relations of its header and its footer. */
  readonly header?: string
  readonly footer?: string
  /** How far they stand from the page's edges, in points. */
  readonly headerFrom: number
  readonly footerFrom: number
  /** The number its first page has where it does not follow from the last. */
  readonly pageNumber?: number
  readonly isVertical: boolean
}

/** How much of what is free under a text is left as margin: the rest takes a line more than there was. */
const MARGIN = 0.4
/** The same where notes stand at the foot of the text: Word sets them right above the margin. Points. */
const ROOM = 14
/** Where a page has no text, in points. */
const EMPTY = 72

/** Where a block begins once Word sets it: an exact line reaches so far above its baseline. */
export const roomTop = (block: Block): number =>
  block.kind === 'paragraph' ? Math.min(block.top, block.lines[0].base - ABOVE * block.pitch) : block.top

/** Where a page's text stands. */
export function geometryOf({ sections, isVertical, notes, ...page }: PageLayout): Geometry {
  const [width, height] = isVertical ? [page.height, page.width] : [page.width, page.height]
  const columns = sections.flatMap((section) => section.columns).filter(({ blocks }) => blocks.length > 0)
  const blocks = columns.flatMap((column) => column.blocks)
  if (blocks.length === 0) return { width, height, left: EMPTY, right: width - EMPTY, top: EMPTY, bottom: height - EMPTY, hasNotes: false }
  return {
    width,
    height,
    left: Math.max(0, Math.min(...columns.map(({ left }) => left))),
    right: Math.min(width, Math.max(...columns.map(({ right }) => right))),
    top: Math.max(0, Math.min(...blocks.map(roomTop))),
    bottom: Math.min(height, Math.max(...[...blocks, ...(notes?.own ?? [])].map(({ bottom }) => bottom))),
    hasNotes: notes !== undefined,
  }
}

/**
 * The sides of columns side by side as Word is told them: out to the page's own, which all sections of a page share then. LibreOffice sets a section
 * with other margins than the page's too far in. None where there is one column.
 */
export function columnSides(columns: readonly Sides[], page: Sides): readonly Sides[] {
  if (columns.length < 2) return []
  return columns.map(({ left, right }, at) => ({
    left: at === 0 ? Math.min(left, page.left) : left,
    right: at === columns.length - 1 ? Math.max(right, page.right) : right,
  }))
}

function columnsXml(columns: readonly Sides[]): string {
  if (columns.length < 2) return element('w:cols', { 'w:space': 0 })
  return element(
    'w:cols',
    { 'w:num': columns.length, 'w:equalWidth': 0 },
    ...columns.map(({ left, right }, at) => {
      const next = columns[at + 1]
      return element('w:col', { 'w:w': twips(right - left), 'w:space': next ? Math.max(0, twips(next.left - right)) : undefined })
    }),
  )
}

/** What is free under a text as a margin. */
function marginBelow({ height, bottom, hasNotes }: Geometry): number {
  const free = height - bottom
  return hasNotes ? Math.max(free * MARGIN, free - ROOM) : free * MARGIN
}

/** A section's properties in the schema's order (CT_SectPr); `notes` are those of its footnotes. */
export function sectionXml(section: Section, notes: string | undefined): string {
  const { geometry, columns, type, header, footer, headerFrom, footerFrom, pageNumber, isVertical } = section
  const left = columns[0]?.left ?? geometry.left
  const right = columns.at(-1)?.right ?? geometry.right
  const sides = { before: left, after: geometry.width - right, above: geometry.top, below: marginBelow(geometry) }
  const [width, height] = isVertical ? [geometry.height, geometry.width] : [geometry.width, geometry.height]
  const free = isVertical
    ? { top: sides.before, bottom: sides.after, right: sides.above, left: sides.below }
    : { top: sides.above, bottom: sides.below, right: sides.after, left: sides.before }
  return element(
    'w:sectPr',
    {},
    header === undefined ? undefined : element('w:headerReference', { 'w:type': 'default', 'r:id': header }),
    footer === undefined ? undefined : element('w:footerReference', { 'w:type': 'default', 'r:id': footer }),
    geometry.hasNotes ? notes : undefined,
    element('w:type', { 'w:val': type }),
    element('w:pgSz', { 'w:w': twips(width), 'w:h': twips(height), 'w:orient': width > height ? 'landscape' : undefined }),
    element('w:pgMar', {
      'w:top': Math.max(0, twips(free.top)),
      'w:right': Math.max(0, twips(free.right)),
      'w:bottom': Math.max(0, twips(free.bottom)),
      'w:left': Math.max(0, twips(free.left)),
      'w:header': Math.max(0, twips(headerFrom)),
      'w:footer': Math.max(0, twips(footerFrom)),
      'w:gutter': 0,
    }),
    pageNumber === undefined ? undefined : element('w:pgNumType', { 'w:start': pageNumber }),
    columnsXml(columns),
    isVertical ? element('w:textDirection', { 'w:val': 'tbRl' }) : undefined,
  )
}

const near = (a: number, b: number, by: number): boolean => Math.abs(a - b) <= by

/** Whether a page fits into the section that is open: then it is the same margins for both. */
export function isAlike(open: Geometry, page: Geometry): boolean {
  return (
    near(open.width, page.width, 1) &&
    near(open.height, page.height, 1) &&
    near(open.left, page.left, 36) &&
    near(open.right, page.right, 72) &&
    page.top >= open.top - 2
  )
}
