import type { Box, Note, PageNotes } from '../document-model.ts'
import { paragraphsOf, type PieceRow } from '../paragraphs.ts'
import type { Letter, Piece } from '../pieces.ts'
import { blockAt, carriedAt, type Ground, type NoteBlock, type NoteRows } from './note-blocks.ts'
import { callsIn, headOf, isRaised, loweredText, type NoteMark } from './note-marks.ts'
import type { PageModel, Rule } from '#engine/pdf/page-model'

/** A page's text without its notes, and these. */
export interface WithoutNotes {
  readonly pieces: readonly Piece[]
  readonly notes?: PageNotes
}

/** Pieces of one line stand no further apart, in sizes: a mark and its note, two notes side by side. */
const BESIDE = 6
/** No further from its text a mark is a word of it, in sizes; else a tab stands between them. */
const WORD = 1.5
/** How far below a rule notes begin, in sizes of the text, and how many rules a page has beside its tables'. */
const NEAR = 3
const MOST_RULES = 60
/** A picture that takes more of its page is its ground; one that begins below this part of it belongs to its foot. */
const GROUND = 0.4
const FOOT = 0.88

/** The size that most of a page's letters have. */
export function usualSize(pieces: readonly Piece[]): number {
  const weights = new Map<number, number>()
  for (const { size, text } of pieces) {
    const key = Math.round(size * 4) / 4
    weights.set(key, (weights.get(key) ?? 0) + text.length * size)
  }
  return [...weights].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 0])[0]
}

const callsBy = (pieces: readonly Piece[]): Map<Piece, readonly NoteMark[]> =>
  new Map(
    pieces.flatMap((piece) => {
      const marks = callsIn(piece)
      return marks.length > 0 ? [[piece, marks] as const] : []
    }),
  )

/** The pieces that begin like notes whose marks the text above has: what stands at a page's foot by itself may be one of them. */
export function noteHeads(pieces: readonly Piece[]): ReadonlySet<Piece> {
  const calls = callsBy(pieces)
  if (calls.size === 0) return new Set()
  const usual = usualSize(pieces)
  const above = new Map<string, number>()
  for (const [{ base }, marks] of calls) for (const { key } of marks) above.set(key, Math.min(base, above.get(key) ?? Infinity))
  return new Set(
    pieces.filter((piece, at) => {
      const mark = piece.size < usual ? headOf(piece, pieces[at + 1]) : undefined
      return mark !== undefined && (above.get(mark.key) ?? Infinity) < piece.base - piece.size
    }),
  )
}

const piecesOf = ({ carried, notes }: NoteBlock): Piece[] => [...carried, ...notes.flatMap(({ rows }) => rows)].flat()

/** A piece with those that follow on its line. */
function rowFrom(first: Piece, pieces: readonly Piece[]): PieceRow {
  const row: [Piece, ...Piece[]] = [first]
  const beside = pieces.filter(
    (piece) => piece !== first && Math.abs(piece.base - first.base) < 0.5 * piece.size && piece.left >= first.right,
  )
  for (const piece of beside.toSorted((a, b) => a.left - b.left)) {
    if (piece.left - (row.at(-1)?.right ?? 0) > BESIDE * piece.size) break
    row.push(piece)
  }
  return row
}

const isIn = ({ at, from }: Rule, table: Box): boolean =>
  at > table.top - 2 && at < table.bottom + 2 && from > table.left - 2 && from < table.right

/** Lines that may stand first under a rule that is no table's; a page with many of those is a drawing, and none of them tells anything. */
function underRules({ pieces, rules, tables, size }: Ground): Piece[] {
  const across = rules.filter((rule) => rule.isHorizontal && !tables.some((table) => isIn(rule, table)))
  if (across.length > MOST_RULES) return []
  return across.flatMap(({ at, from, to }) => {
    const below = pieces.filter((piece) => piece.size < size && piece.base > at && piece.base < at + NEAR * size && piece.left < to)
    const first = below.filter(({ right }) => right > from).toSorted((a, b) => a.base - b.base || a.left - b.left)[0]
    return first ?? []
  })
}

/** The blocks of notes at the feet of a page's columns, from the left. */
function blocksOf(ground: Ground): NoteBlock[] {
  const blocks: NoteBlock[] = []
  const taken = new Set<Piece>()
  const left = (): Ground => ({ ...ground, pieces: ground.pieces.filter((piece) => !taken.has(piece)) })
  const add = (block: NoteBlock | undefined): void => {
    if (!block) return
    blocks.push(block)
    for (const piece of piecesOf(block)) taken.add(piece)
  }
  const keys = new Set([...ground.calls.values()].flat().map(({ key }) => key))
  const isHead = (piece: Piece): boolean => keys.has(headOf(piece, piece)?.key ?? '')
  for (const piece of keys.size > 0 ? ground.pieces.filter(isHead).toSorted((a, b) => a.base - b.base || a.left - b.left) : [])
    if (!taken.has(piece)) add(blockAt(rowFrom(piece, ground.pieces), left()))
  for (const piece of underRules(ground)) if (!taken.has(piece)) add(carriedAt(rowFrom(piece, ground.pieces), left()))
  return blocks.toSorted((a, b) => (a.right <= b.left ? -1 : b.right <= a.left ? 1 : 0))
}

/** A note's mark and its text as one piece where no wide gap parts them. */
function withHead([first, second, ...others]: PieceRow, { to }: NoteMark): PieceRow {
  const last = first.letters.at(-1)
  const isAlone = first.letters.slice(to).every(({ text }) => /^[.．、)）:：\s]*$/.test(text))
  if (!second || !last || !isAlone || second.left - first.right > WORD * second.size)
    return [first, ...(second ? [second, ...others] : others)]
  const space = { text: ' ', left: first.right, right: second.left, style: last.style }
  const letters = [...first.letters, space, ...second.letters]
  return [{ ...second, left: first.left, text: `${first.text} ${second.text}`, letters }, ...others]
}

/** Letters some of which are a note's mark. */
const marked = (letters: Letter[], { from, to }: NoteMark, note: number): Letter[] =>
  letters.map((letter, at) => {
    if (at < from || at >= to) return letter
    const style = isRaised(letter) && !letter.style.script ? { ...letter.style, script: 'super' as const } : letter.style
    return { ...letter, text: loweredText(letter), style, note }
  })

function asNote(rows: readonly PieceRow[], { left, right }: Pick<NoteBlock, 'left' | 'right'>): Note | undefined {
  const [first, ...others] = paragraphsOf(rows, { left, right, isNote: true })
  if (!first) return undefined
  const bottom = Math.max(first.bottom, ...others.map((one) => one.bottom))
  return { left, right, top: first.top, bottom, paragraphs: [first, ...others] }
}

function withMark({ mark, rows: [head, ...others] }: NoteRows, place: number): PieceRow[] {
  if (!head) return []
  const [first, ...beside] = head
  return [withHead([{ ...first, letters: marked(first.letters, mark, place) }, ...beside], mark), ...others]
}

/** The notes of a page; what goes on from one column to the next belongs to the last note before. */
function notesOf(blocks: readonly NoteBlock[]): PageNotes {
  const end: PieceRow[] = []
  const own: { readonly block: NoteBlock; readonly rows: PieceRow[] }[] = []
  for (const block of blocks) {
    const goesOn = own.at(-1)?.rows ?? end
    goesOn.push(...block.carried)
    for (const note of block.notes) own.push({ block, rows: withMark(note, own.length) })
  }
  const [first] = blocks
  const carried = first && asNote(end, first)
  return {
    own: own.flatMap(({ block, rows }) => asNote(rows, block) ?? []),
    rules: blocks.flatMap(({ rule }) => rule ?? []),
    ...(carried && { carried }),
  }
}

/** The first call of each note, by the piece it stands in. */
function firstCalls(blocks: readonly NoteBlock[], own: ReadonlySet<Piece>, { calls, pieces }: Ground) {
  const places = new Map(blocks.flatMap(({ notes }) => notes).map(({ mark }, at) => [mark.key, at]))
  const called = new Map<Piece, (readonly [NoteMark, number])[]>()
  for (const piece of pieces) {
    for (const mark of own.has(piece) ? [] : (calls.get(piece) ?? [])) {
      const place = places.get(mark.key)
      if (place === undefined) continue
      places.delete(mark.key)
      called.set(piece, [...(called.get(piece) ?? []), [mark, place]])
    }
  }
  return called
}

/**
 * Takes the footnotes out of a page's text: small lines at a column's foot that begin with marks which its text calls, often under a short rule. What is
 * a table's, a picture's or a list's own stays.
 */
export function withoutNotes(pieces: readonly Piece[], { images, rules, width, height }: PageModel, tables: readonly Box[]): WithoutNotes {
  const isThing = ({ left, top, right, bottom }: Box): boolean =>
    (right - left) * (bottom - top) < GROUND * width * height && top < FOOT * height
  const ground = { pieces, calls: callsBy(pieces), tables, images: images.filter(isThing), rules, size: usualSize(pieces) }
  const blocks = blocksOf(ground)
  if (blocks.length === 0) return { pieces }
  const own = new Set(blocks.flatMap(piecesOf))
  const called = firstCalls(blocks, own, ground)
  const rest = pieces.flatMap((piece) => {
    if (own.has(piece)) return []
    const marks = called.get(piece)
    return [marks ? { ...piece, letters: marks.reduce((before, [mark, note]) => marked(before, mark, note), piece.letters) } : piece]
  })
  return { pieces: rest, notes: notesOf(blocks) }
}
