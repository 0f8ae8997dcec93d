import type { Block, OutlineEntry, PageLayout, Paragraph } from './document-model.ts'
import { textOf } from './lines.ts'

/** A heading's letters are so many times as large as those of the text, for levels 1 to 3. */
const LARGER = [1.75, 1.35, 1.12] as const
/** A heading has no more letters than this, and no more lines. */
const LONGEST = { letters: 60, lines: 3 }
/** What ends like this is a sentence, or goes on. */
const GOES_ON = /[。；，、;,]$/
/** Numbers of headings in Chinese documents and their levels; `1.2.3` is as deep as it has numbers. */
const NUMBERED: readonly (readonly [RegExp, number])[] = [
  [/^第.{1,4}[章编部篇]/, 1],
  [/^第.{1,4}节/, 2],
  [/^\d+(\.\d+){3}\s?\D/, 4],
  [/^\d+(\.\d+){2}\s?\D/, 3],
  [/^\d+\.\d+\s?\D/, 2],
]
const DEEPEST = 6

const plain = (text: string): string => text.replaceAll(/\s/g, '')

/** Letters by their size: what a document's text is set in. */
export class BodySize {
  readonly #letters = new Map<number, number>()

  add(page: PageLayout): void {
    for (const { columns } of page.sections)
      for (const { blocks } of columns)
        for (const block of blocks)
          if (block.kind === 'paragraph') for (const { text, style } of block.runs) this.#count(style.size, text.length * style.size)
  }

  /** Small print has more letters in the same room: letters count by their size. */
  #count(size: number, weight: number): void {
    const key = Math.round(size * 2) / 2
    this.#letters.set(key, (this.#letters.get(key) ?? 0) + weight)
  }

  /** The size of most letters, in points; 0 before any. */
  get points(): number {
    return [...this.#letters].reduce((most, one) => (one[1] > most[1] ? one : most), [0, 0])[0]
  }
}

const isAllBold = ({ runs }: Paragraph): boolean => runs.every(({ text, style }) => style.isBold || text.trim() === '')

/** A paragraph's level as a heading, by the outline, its size, its weight and its number. */
function levelOf(paragraph: Paragraph, entries: readonly OutlineEntry[], body: number): number | undefined {
  const { runs, lines, list } = paragraph
  const text = `${list?.text ?? ''}${textOf(runs)}`.trim()
  if (
    text === '' ||
    (text.includes('\t') && paragraph.stops.some(({ leader }) => leader)) ||
    lines.length > LONGEST.lines ||
    text.length > LONGEST.letters
  )
    return undefined
  const entry = entries.find(({ title }) => plain(title) === plain(text))
  if (entry) return Math.min(DEEPEST, entry.level)
  if (GOES_ON.test(text) || !/\p{L}/u.test(text)) return undefined
  const size = Math.max(...runs.filter((run) => run.text.trim() !== '').map(({ style }) => style.size))
  const bySize = LARGER.findIndex((share) => size >= share * body)
  const isBold = isAllBold(paragraph)
  if (list && !isBold) return undefined
  const numbered = NUMBERED.find(([pattern]) => pattern.test(text))?.[1]
  if (numbered !== undefined && (isBold || bySize >= 0)) return numbered
  if (bySize >= 0) return bySize + 1
  return isBold && size >= 0.98 * body && lines.length === 1 && paragraph.stops.length === 0 ? LARGER.length + 1 : undefined
}

/** A heading keeps its number in its text. */
function asHeading(paragraph: Paragraph, heading: number): Paragraph {
  const { list, ...rest } = paragraph
  const [first] = paragraph.runs
  if (!list || !first) return { ...rest, heading }
  const mark = { text: `${list.text} `, style: list.style, width: paragraph.firstLeft - list.left }
  return { ...rest, heading, runs: [mark, ...paragraph.runs], firstLeft: list.left }
}

/** A page with its headings told. */
export function withHeadings(page: PageLayout, outline: readonly OutlineEntry[], body: number): PageLayout {
  const entries = outline.filter((entry) => entry.page === page.number)
  const told = (block: Block): Block => {
    if (block.kind !== 'paragraph') return block
    const level = levelOf(block, entries, body)
    return level === undefined ? block : asHeading(block, level)
  }
  const sections = page.sections.map((section) => {
    const [first, ...others] = section.columns
    const column = (one: typeof first) => ({ ...one, blocks: one.blocks.map(told) })
    return { ...section, columns: [column(first), ...others.map(column)] as const }
  })
  return { ...page, sections }
}
