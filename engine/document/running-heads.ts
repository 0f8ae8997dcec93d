import { bottomOf, topOf } from './lines.ts'
import type { PieceRow } from './paragraphs.ts'
import type { Piece } from './pieces.ts'
import { pieceRows } from './rows.ts'

/** A row at the head or the foot of a page. */
interface Edge {
  /** From the page's edge inwards, from 0. */
  readonly depth: number
  readonly pieces: PieceRow
  /** What it says without spaces, `#` for each number. */
  readonly key: string
  readonly numbers: readonly number[]
  readonly base: number
  /** Free space towards the page's text, in sizes. */
  readonly gap: number
  /** Its letters are no larger than most of the page's. */
  readonly isSmall: boolean
  /** It begins as a footnote does. */
  readonly isNote: boolean
}

/** What stands at the head and the foot of a page. */
export interface Edges {
  readonly page: number
  readonly head: readonly Edge[]
  readonly foot: readonly Edge[]
  readonly height: number
}

/** How far the head and the foot reach into a page, as a share of its height, and in rows. */
const ZONE = 0.16
const MOST_ROWS = 4
/** What repeats stands as high on every page, in points. */
const SAME_PLACE = 3
/** By its place alone a row is taken for a header or footer that is so near to the page's edge and so far from its text, in sizes. */
const ALONE = { share: 0.068, gap: 1.6 }
const LARGER = 1.06
/** Headers and footers stand at least so far from the text, in sizes: what stands nearer and repeats is a table's head, say. */
const APART = 0.8
/** As near as this the outermost row may come where it counts the pages, as a page's number under its footnotes does. */
const COUNTED_APART = 0.3
/** What page numbers look like. */
const PAGE_NUMBER = /^(第#页([,，/|]?共#页)?|[-–—·~(（]*#[-–—·~)）]*|#\/#|page#(of#)?)$/i

/** What is known of a page's text as a whole. */
interface Known {
  readonly isHead: boolean
  /** The size of most pieces. */
  readonly usual: number
  readonly notes: ReadonlySet<Piece>
}

function edgeOf(row: PieceRow, depth: number, next: PieceRow | undefined, { isHead, usual, notes }: Known): Edge {
  const [piece] = row
  const text = row.map((one) => one.text).join('')
  const inner = next?.[0]
  const space = inner ? (isHead ? topOf(inner) - bottomOf(piece) : topOf(piece) - bottomOf(inner)) : Infinity
  return {
    depth,
    pieces: row,
    key: text.replaceAll(/\s/g, '').replaceAll(/\d+/g, '#'),
    numbers: (text.match(/\d+/g) ?? []).map(Number),
    base: piece.base,
    gap: space / Math.max(1, piece.size),
    isSmall: piece.size < LARGER * usual,
    isNote: notes.has(piece),
  }
}

/** What stands at a page's edges; `notes` are pieces that begin as footnotes do. */
export function edgesOf(page: number, pieces: readonly Piece[], height: number, notes: ReadonlySet<Piece> = new Set()): Edges {
  const usual = pieces.toSorted((a, b) => a.size - b.size)[pieces.length >> 1]?.size ?? 0
  const near = (isHead: boolean): Edge[] => {
    const rows = pieceRows(pieces.filter(({ base }) => (isHead ? base < ZONE * height : base > (1 - ZONE) * height)))
    const inwards = isHead ? rows : rows.toReversed()
    const rest = pieces.filter(({ base }) => (isHead ? base >= ZONE * height : base <= (1 - ZONE) * height))
    const beyond = rest.length > 0 ? rest.reduce((a, b) => (isHead === b.base < a.base ? b : a)) : undefined
    return inwards
      .slice(0, MOST_ROWS)
      .map((row, depth) => edgeOf(row, depth, inwards[depth + 1] ?? (beyond && [beyond]), { isHead, usual, notes }))
  }
  return { page, head: near(true), foot: near(false), height }
}

const wordsOf = ({ key }: Edge): string => key.replaceAll('#', '')

/** Whether a number in two rows counts the pages from one to the other. */
const counts = (edge: Edge, other: Edge, pages: number): boolean =>
  edge.numbers.some((number, at) => number - (other.numbers[at] ?? NaN) === pages)

/** Whether what stands on two pages is the same; numbers alone must count the pages. */
function repeats(edge: Edge, other: Edge, pages: number): boolean {
  if (wordsOf(edge) !== wordsOf(other) || edge.key === '' || Math.abs(edge.base - other.base) > SAME_PLACE) return false
  const isNumberOnly = !/[^#\p{P}\s]/u.test(edge.key.replaceAll(/[第页共]|page|of/gi, ''))
  return !isNumberOnly || counts(edge, other, pages)
}

/** Whether a row by itself looks like a header or a footer. */
const standsAlone = (edge: Edge, height: number, isHead: boolean): boolean =>
  edge.gap > ALONE.gap &&
  edge.isSmall &&
  !edge.isNote &&
  ((isHead ? edge.base : height - edge.base) < ALONE.share * height || (!isHead && edge.depth === 0 && PAGE_NUMBER.test(edge.key)))

/** The rows of one edge, from outside in, up to the last that repeats on pages near by or looks like a header or footer by its place. */
function runningRows(edges: Edges, others: readonly Edges[], part: 'head' | 'foot'): PieceRow[] {
  const rows = edges[part]
  const hasLike = (edge: Edge, isLike: typeof repeats): boolean =>
    others.some((other) => other[part].some((one) => isLike(edge, one, edges.page - other.page)))
  const isRunning = (edge: Edge): boolean => hasLike(edge, repeats) || standsAlone(edge, edges.height, part === 'head')
  const isApart = (edge: Edge): boolean =>
    edge.gap > APART ||
    (edge.depth === 0 &&
      edge.gap > COUNTED_APART &&
      hasLike(edge, (one, other, pages) => counts(one, other, pages) && repeats(one, other, pages)))
  const last = rows.findLastIndex(
    (edge, at) => isApart(edge) && isRunning(edge) && rows.slice(0, at).every((before) => isRunning(before) || before.gap < 1),
  )
  return rows.slice(0, last + 1).map(({ pieces }) => pieces)
}

/** The rows of a page that are its header and its footer, each from the top; `others` are the edges of pages near by. */
export const runningHeads = (
  edges: Edges,
  others: readonly Edges[],
): { readonly header: readonly PieceRow[]; readonly footer: readonly PieceRow[] } => ({
  header: runningRows(edges, others, 'head'),
  footer: runningRows(edges, others, 'foot').toReversed(),
})
