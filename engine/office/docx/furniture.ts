import type { Block, PageLayout, Paragraph, Run } from '#engine/document/document-model'
import { PAGE_FIELD } from './runs.ts'

/** What stands at the head and the foot of a page, its page number as a field. */
export interface Furniture {
  readonly header: readonly Block[]
  readonly footer: readonly Block[]
  /** The number that is written there. */
  readonly pageNumber?: number
  /** Pages with the same furniture say the same. */
  readonly key: string
}

const NUMBER = /\d+/g
/** Pages with even numbers may look another way, so the page after the next tells as much as the next. */
const REACH = [1, -1, 2, -2]

const textOf = (runs: readonly Run[]): string => runs.map(({ text }) => text).join('')
const paragraphsOf = (blocks: readonly Block[]): Paragraph[] =>
  blocks.flatMap((block) =>
    block.kind === 'paragraph' ? [block] : block.kind === 'table' ? paragraphsOf(block.cells.flatMap((one) => one.blocks)) : [],
  )
const linesOf = ({ header, footer }: PageLayout): string[] => paragraphsOf([...header, ...footer]).map(({ runs }) => textOf(runs))

/** Which number of a text is `step` more in the text of a page so many further on, all else alike: its place among the text's numbers. */
function countingNumber(text: string, other: string, step: number): number | undefined {
  if (text.replaceAll(NUMBER, '#') !== other.replaceAll(NUMBER, '#')) return undefined
  const [mine, theirs] = [text.match(NUMBER) ?? [], other.match(NUMBER) ?? []]
  const places = mine.flatMap((one, at) => (Number(theirs[at]) - Number(one) === step ? [at] : []))
  return places.length === 1 && mine.every((one, at) => at === places[0] || one === theirs[at]) ? places[0] : undefined
}

/** The line and the place in it of a page's number. */
function pageNumberOf(
  page: PageLayout,
  others: readonly (PageLayout | undefined)[],
): { readonly line: string; readonly at: number } | undefined {
  for (const line of linesOf(page))
    for (const other of others) {
      if (!other) continue
      const step = other.number - page.number
      for (const theirs of linesOf(other)) {
        const at = countingNumber(line, theirs, step)
        if (at !== undefined) return { line, at }
      }
    }
  return undefined
}

function withField(runs: readonly Run[], at: number): Run[] {
  let count = 0
  return runs.map((run) => ({ ...run, text: run.text.replaceAll(NUMBER, (number) => (count++ === at ? PAGE_FIELD : number)) }))
}

function fielded(blocks: readonly Block[], found: { readonly line: string; readonly at: number }): Block[] {
  return blocks.map((block) => {
    if (block.kind === 'table') return { ...block, cells: block.cells.map((cell) => ({ ...cell, blocks: fielded(cell.blocks, found) })) }
    if (block.kind === 'picture' || block.lines.length > 1 || textOf(block.runs) !== found.line) return block
    const [line] = block.lines
    return { ...block, runs: withField(block.runs, found.at), lines: [{ ...line, runs: withField(line.runs, found.at) }] }
  })
}

const placeOf = (block: Block): string => `${block.kind} ${Math.round(block.top / 4)} `
const keyOf = (blocks: readonly Block[]): string =>
  blocks
    .map((block) => {
      if (block.kind === 'paragraph') return placeOf(block) + textOf(block.runs)
      if (block.kind === 'table') return placeOf(block) + keyOf(block.cells.flatMap((cell) => cell.blocks))
      return `${placeOf(block)}${Math.round(block.left)} ${block.picture.bytes} ${block.picture.width}`
    })
    .join('\n')

/** A page's furniture; `around` answers the page so many after it, where there is one. */
export function furnitureOf(page: PageLayout, around: (step: number) => PageLayout | undefined): Furniture {
  const found = pageNumberOf(page, REACH.map(around))
  const header = found ? fielded(page.header, found) : page.header
  const footer = found ? fielded(page.footer, found) : page.footer
  const number = found && Number(found.line.match(NUMBER)?.[found.at])
  return { header, footer, ...(number !== undefined && { pageNumber: number }), key: `${keyOf(header)}\u0000${keyOf(footer)}` }
}
