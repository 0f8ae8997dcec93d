import type { Block, Line, Note, PageLayout, PageNotes, Paragraph, Run } from '../document-model.ts'
import { inPairs } from '../in-pairs.ts'
import { joinedRuns, textOf } from '../lines.ts'

/** What a page's notes say, in their order; the end of one from the page before comes first. */
export const noteParagraphs = (notes: PageNotes | undefined): readonly Paragraph[] =>
  notes ? [...(notes.carried?.paragraphs ?? []), ...notes.own.flatMap(({ paragraphs }) => paragraphs)] : []

/** A note that ends like this is over. */
const ENDS = /[。.!?！？；;…”"’」』)）\]】]\s*$/

const moved = (line: Line, by: number): Line => ({ ...line, top: line.top + by, bottom: line.bottom + by, base: line.base + by })

/** A paragraph that goes on in another, whose lines then follow its own. */
function longer(paragraph: Paragraph, { lines, runs }: Paragraph): Paragraph {
  const last = paragraph.lines.at(-1) ?? paragraph.lines[0]
  const by = last.base + paragraph.pitch - lines[0].base
  const more = lines.map((line) => moved(line, by))
  const [first, ...others] = paragraph.lines
  return {
    ...paragraph,
    runs: joinedRuns([paragraph.runs, runs]),
    lines: [first, ...others, ...more],
    left: others.length > 0 ? paragraph.left : Math.min(...more.map(({ left }) => left)),
    right: Math.max(paragraph.right, ...more.map(({ right }) => right)),
    bottom: Math.max(...more.map(({ bottom }) => bottom)),
  }
}

/** A note with what the next page has of it. */
function withEnd(note: Note, { paragraphs: [next, ...others] }: Note): Note {
  const before = note.paragraphs.slice(0, -1)
  const last = longer(note.paragraphs.at(-1) ?? note.paragraphs[0], next)
  const [first, ...more] = [...before, last, ...others]
  return { ...note, paragraphs: [first ?? last, ...more] }
}

/** Two pages that follow one another: a note that goes on stands whole on the first, if its last one is not over. */
function joinedPages(page: PageLayout, after: PageLayout): readonly [PageLayout, PageLayout] {
  const [last, carried] = [page.notes?.own.at(-1), after.notes?.carried]
  if (!page.notes || !after.notes || !last || !carried || after.number !== page.number + 1) return [page, after]
  if (ENDS.test(textOf(last.paragraphs.at(-1)?.runs ?? []))) return [page, after]
  const { carried: _, ...rest } = after.notes
  return [
    { ...page, notes: { ...page.notes, own: [...page.notes.own.slice(0, -1), withEnd(last, carried)] } },
    { ...after, notes: rest },
  ]
}

const runsOf = (blocks: readonly Block[]): Run[] =>
  blocks.flatMap((block) => {
    if (block.kind === 'table') return block.cells.flatMap((cell) => runsOf(cell.blocks))
    return block.kind === 'paragraph' ? block.runs : []
  })

/** Blocks as the last ones of the column that stands over them. */
function withBlocks(page: PageLayout, blocks: readonly Paragraph[]): PageLayout {
  if (blocks.length === 0) return page
  const sections = [...page.sections]
  const last = sections.pop()
  if (!last) return page
  const [first, ...others] = last.columns
  const columns = [first, ...others] as const
  const at = (left: number): number =>
    Math.max(
      0,
      columns.findLastIndex((column) => column.left <= left + 1),
    )
  const more = columns.map((column, n) => ({ ...column, blocks: [...column.blocks, ...blocks.filter(({ left }) => at(left) === n)] }))
  const [head, ...rest] = more
  return { ...page, sections: [...sections, { ...last, columns: [head ?? first, ...rest] }] }
}

/** A page whose notes are all called from its text, and whole: else what it has of them stands in that again. */
function settled(page: PageLayout): PageLayout {
  if (!page.notes) return page
  const { carried, ...own } = page.notes
  const calls = new Set(runsOf(page.sections.flatMap(({ columns }) => columns.flatMap(({ blocks }) => blocks))).map(({ note }) => note))
  const areCalled = own.own.length > 0 && own.own.every((_, at) => calls.has(at))
  const { notes: _, ...rest } = withBlocks(page, areCalled ? (carried?.paragraphs ?? []) : noteParagraphs(page.notes))
  return areCalled ? { ...rest, notes: own } : rest
}

/** Pages with their notes whole and called. */
export async function* withSettledNotes(pages: AsyncIterable<PageLayout>): AsyncGenerator<PageLayout> {
  for await (const page of inPairs(pages, joinedPages)) yield settled(page)
}
