import type { ListMark, TextStyle } from '#engine/document/document-model'
import { element } from '../xml.ts'
import { markFormat, type MarkFormat } from './mark-format.ts'
import { styleXml } from './styles.ts'

/** A paragraph's place in a list: the list's number and the level. */
export interface ListPlace {
  readonly id: number
  readonly level: number
}

/** The lists of a document. */
export interface Numbering {
  /** Where a mark belongs: it goes on with an open list where it is the next of its kind. Undefined where no numbering would write it as it is. */
  readonly place: (mark: ListMark, isApart: boolean) => ListPlace | undefined
  /** The part, or undefined where there are no lists. */
  readonly xml: () => string | undefined
}

interface List {
  readonly format: MarkFormat
  readonly style: TextStyle
  readonly level: number
  readonly start: number
  readonly isApart: boolean
  next: number
}

const LEVELS = 9

/** One level of a list; those that are not used are told all the same, as Word writes them. */
function levelXml({ format, style, start, isApart, level }: List, at: number): string {
  const isOwn = at === level
  return element(
    'w:lvl',
    { 'w:ilvl': at },
    element('w:start', { 'w:val': isOwn ? start : 1 }),
    element('w:numFmt', { 'w:val': isOwn ? format.kind : 'none' }),
    element('w:suff', { 'w:val': isOwn && isApart ? 'tab' : 'nothing' }),
    element('w:lvlText', { 'w:val': isOwn ? format.pattern.replace('%', `%${at + 1}`) : '' }),
    element('w:lvlJc', { 'w:val': 'left' }),
    isOwn ? styleXml(style) : undefined,
  )
}

const listXml = (list: List, id: number): string =>
  element(
    'w:abstractNum',
    { 'w:abstractNumId': id },
    element('w:multiLevelType', { 'w:val': 'multilevel' }),
    ...Array.from({ length: LEVELS }, (_, at) => levelXml(list, at)),
  )

/** Keeps a document's lists. */
export function createNumbering(names: Readonly<Record<string, string>>): Numbering {
  const lists: List[] = []
  const open = new Map<string, number>()
  return {
    place(mark, isApart) {
      const format = markFormat(mark)
      const level = Math.min(mark.level, LEVELS - 1)
      if (!format) return undefined
      const key = `${level} ${format.kind} ${format.pattern} ${isApart}`
      const known = open.get(key)
      const list = known === undefined ? undefined : lists[known]
      if (known !== undefined && list && (format.kind === 'bullet' || list.next === mark.number)) {
        list.next += 1
        return { id: known + 1, level }
      }
      const start = mark.number ?? 1
      lists.push({ format, style: mark.style, level, start, isApart, next: start + 1 })
      open.set(key, lists.length - 1)
      return { id: lists.length, level }
    },
    xml() {
      if (lists.length === 0) return undefined
      const numbers = lists.map((_, at) => element('w:num', { 'w:numId': at + 1 }, element('w:abstractNumId', { 'w:val': at })))
      return element('w:numbering', names, ...lists.map((list, at) => listXml(list, at)), ...numbers)
    },
  }
}
