import type { Block, PageLayout, Paragraph, Table } from './document-model.ts'
import { joinedRuns, textOf } from './lines.ts'

/** How lines come out: joined into paragraphs, or as they stand on the page. */
export type Breaks = 'paragraph' | 'line'

const paragraphLines = ({ runs, lines }: Paragraph, breaks: Breaks): string[] =>
  breaks === 'paragraph' ? [textOf(runs)] : lines.map((line) => textOf(line.runs))

/** A cell's text as one line. */
const cellText = (blocks: readonly Block[]): string =>
  textOf(
    joinedRuns(
      blocks.map((block) => {
        if (block.kind === 'picture') return []
        return block.kind === 'table' ? [] : block.runs
      }),
    ),
  ).replaceAll('\t', ' ')

/** A table line by line, its cells parted by tabs; a merged cell's text stands in its first place. */
function tableLines({ columns, rows, cells }: Table): string[] {
  const lines = Array.from({ length: rows.length - 1 }, () => Array.from({ length: columns.length - 1 }, () => ''))
  for (const { firstRow, firstColumn, blocks } of cells) {
    const line = lines[firstRow]
    if (line) line[firstColumn] = cellText(blocks)
  }
  return lines.map((line) => line.join('\t').trimEnd()).filter((line) => line !== '')
}

function blockLines(block: Block, breaks: Breaks): string[] {
  switch (block.kind) {
    case 'paragraph':
      return paragraphLines(block, breaks)
    case 'table':
      return tableLines(block)
    case 'picture':
      return []
  }
}

/** A page's text in the order it is read in, line by line; what stands turned follows what stands upright. */
export function pageText({ header, sections, footer, floating }: PageLayout, breaks: Breaks): readonly string[] {
  const flow = sections.flatMap(({ columns }) => columns.flatMap(({ blocks }) => blocks))
  return [...header, ...flow, ...floating.map(({ paragraph }) => paragraph), ...footer].flatMap((block) => blockLines(block, breaks))
}
