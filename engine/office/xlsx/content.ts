import type { Block, Paragraph, Run, Table } from '#engine/document/document-model'

/** What is written into one cell of a sheet. */
export interface CellContent {
  /** Lines that must stay lines are parted by `\n`. */
  readonly runs: readonly Run[]
  readonly align: 'left' | 'centre' | 'right'
  /** How many lines it took on the page. */
  readonly lines: number
  /** How far its longest line reached. */
  readonly width: number
}

/** Excel's own limit for a cell's text. */
const MOST_CHARACTERS = 32_767

const textOf = (runs: readonly Run[]): string => runs.map(({ text }) => text).join('')

/** The text of runs as a cell shows it. */
export const plainText = (runs: readonly Run[]): string => textOf(runs).trim()

const isOpen = (mark: string): boolean => /[A-Za-z0-9.)•●■◆·-]$/.test(mark)

/** A paragraph's runs with its list mark; a gap within it is a space, as cells have no tabs. */
function paragraphRuns({ runs, list }: Paragraph): Run[] {
  const own = runs.map((run) => ({ ...run, text: run.text.replaceAll('\t', ' ') }))
  if (!list) return own
  return [{ text: list.text + (isOpen(list.text) ? ' ' : ''), style: list.style, width: 0 }, ...own]
}

/** A table within a cell: its rows as lines. */
function nestedRuns(table: Table): Run[] {
  const rows = new Map<number, Run[]>()
  for (const cell of table.cells.toSorted((a, b) => a.firstRow - b.firstRow || a.firstColumn - b.firstColumn)) {
    const runs = contentOf(cell.blocks).runs.map((run) => ({ ...run, text: run.text.replaceAll('\n', ' ') }))
    const [first] = runs
    if (!first) continue
    const row = rows.get(cell.firstRow)
    if (row) row.push({ ...first, text: '  ', width: 0 }, ...runs)
    else rows.set(cell.firstRow, runs)
  }
  return joined([...rows.values()])
}

/** Parts one under the other. */
function joined(parts: readonly (readonly Run[])[]): Run[] {
  return parts
    .filter((part) => textOf(part).trim() !== '')
    .flatMap((part, at) => {
      const [first] = part
      return at > 0 && first ? [{ ...first, text: '\n', width: 0 }, ...part] : part
    })
}

/** Runs up to as many characters as a cell takes. */
function cutRuns(runs: readonly Run[]): readonly Run[] {
  let left = MOST_CHARACTERS
  return runs.flatMap((run) => {
    const text = run.text.slice(0, left)
    left -= text.length
    return text === '' ? [] : text === run.text ? [run] : [{ ...run, text }]
  })
}

const alignOf = ({ align }: Paragraph): CellContent['align'] => (align === 'justify' ? 'left' : align)

/** What blocks come to in one cell: text only. */
export function contentOf(blocks: readonly Block[]): CellContent {
  const paragraphs = blocks.flatMap((block) => (block.kind === 'paragraph' ? [block] : []))
  const parts = blocks.map((block) => (block.kind === 'paragraph' ? paragraphRuns(block) : block.kind === 'table' ? nestedRuns(block) : []))
  const lines = paragraphs.reduce((sum, paragraph) => sum + paragraph.lines.length, 0)
  const nested = blocks.reduce((sum, block) => sum + (block.kind === 'table' ? block.rows.length - 1 : 0), 0)
  const [first] = paragraphs
  return {
    runs: cutRuns(joined(parts)),
    align: first ? alignOf(first) : 'left',
    lines: Math.max(1, lines + nested),
    width: Math.max(0, ...paragraphs.flatMap((paragraph) => paragraph.lines.map(({ left, right }) => right - left))),
  }
}
