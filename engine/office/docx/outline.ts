import type { Block, OutlineEntry, PageLayout, Paragraph, Section } from '#engine/document/document-model'

const wordsOf = (text: string): string => text.normalize('NFKC').replaceAll(/[\s.·\u2026]/g, '')

const saysOf = ({ list, runs }: Paragraph): string => wordsOf((list?.text ?? '') + runs.map(({ text }) => text).join(''))

/** Whether a paragraph is what a bookmark names: a title may leave out a heading's number. */
function isNamed(paragraph: Paragraph, title: string): boolean {
  const says = saysOf(paragraph)
  return title.length > 1 && (says === title || (says.endsWith(title) && says.length - title.length < 8))
}

/** A page's sections, the paragraphs that the outline names as headings of its levels: bookmarks tell what letters only suggest. */
export function withOutline({ sections, number }: PageLayout, outline: readonly OutlineEntry[]): readonly Section[] {
  const entries = outline.filter(({ page }) => page === number).map(({ title, level }) => ({ title: wordsOf(title), level }))
  if (entries.length === 0) return sections
  const headed = (block: Block): Block => {
    if (block.kind !== 'paragraph' || block.lines.length > 3) return block
    const entry = entries.find(({ title }) => isNamed(block, title))
    return entry ? { ...block, heading: entry.level } : block
  }
  return sections.map((section) => {
    const [first, ...others] = section.columns.map((column) => ({ ...column, blocks: column.blocks.map(headed) }))
    return first ? { ...section, columns: [first, ...others] } : section
  })
}
