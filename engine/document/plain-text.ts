import type { Block, PageLayout, Paragraph, Run, Table } from './document-model.ts'
import { joinedRuns, textOf } from './lines.ts'
import { noteParagraphs } from './notes/settled-notes.ts'
import { isHan } from './pieces.ts'

/** How lines come out: joined into paragraphs, or as they stand on the page. */
export type Breaks = 'paragraph' | 'line'

/** What runs say, the way to a tab's stop filled as it was. */
function writtenOut(runs: readonly Run[], stops: Paragraph['stops']): string {
  let tabs = 0
  return runs.map(({ text }) => (text === '\t' ? (stops[tabs++]?.fill ?? text) : text)).join('')
}

/** An item's text behind its mark. */
const marked = (list: Paragraph['list'], text: string): string =>
  list ? `${list.text}${isHan(list.text.slice(-1)) ? '' : ' '}${text}` : text

function paragraphLines({ runs, lines, list, stops }: Paragraph, breaks: Breaks): string[] {
  if (breaks === 'line') return lines.map((line) => writtenOut(line.runs, stops))
  return [marked(list, writtenOut(runs, stops))]
}

/** A cell's text as one line. */
const cellText = (blocks: readonly Block[]): string =>
  textOf(
    joinedRuns(
      blocks.map((block) => {
        if (block.kind === 'picture') return []
        if (block.kind === 'table') return []
        const [first] = block.runs
        return block.list && first ? [{ ...first, text: marked(block.list, first.text) }, ...block.runs.slice(1)] : block.runs
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

/** A page's text in the order it is read in, line by line; what stands turned follows what stands upright, and notes follow both. */
export function pageText({ header, sections, notes, footer, floating }: PageLayout, breaks: Breaks): readonly string[] {
  const flow = sections.flatMap(({ columns }) => columns.flatMap(({ blocks }) => blocks))
  const all = [...header, ...flow, ...floating.map(({ paragraph }) => paragraph), ...noteParagraphs(notes), ...footer]
  return all.flatMap((block) => blockLines(block, breaks))
}
