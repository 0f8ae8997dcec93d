import { isHan } from '../pieces.ts'
import type { Reach } from './gutters.ts'
import { isNumber, type PlacedLine } from './row-groups.ts'

/** At least this share of a table's places hold something. */
const DENSITY = 0.4
/** In each column so many of its pieces begin, end or have their middle at one place, as a share; and how near, in sizes. */
const ALIGNED = 0.55
const NEAR = 0.35
/** Lines of prose are longer than this, in characters. */
const LONG = 24
/** A Chinese character takes the room of so many letters; so long are most lines of a newspaper's column, but not those of a cell. */
const HAN = { letters: 1.75, most: 0.7 }
const LEADERS = /[.…·．]{4,}|(\. ){3,}/
const MARK =
  /^([\u2022\u25cf\u25a0\u25c6\u25cb\u25a1\uf06c\uf0b7*•·–-]|[（(]?\w{1,4}[.)、）:]|[①-⑳]|[（(]?[一二三四五六七八九十]{1,3}[、）)])$/
const CODE = /^(--|\/\/|\/\*|#)|[;{}]$|::=|^(return|if|for|var|const)\b/

/** The share of places that all but agree with the one that most agree with. */
function agreement(places: readonly number[], near: number): number {
  const sorted = places.toSorted((a, b) => a - b)
  let best = 0
  for (let first = 0, last = 0; last < sorted.length; last++) {
    while ((sorted[last] ?? 0) - (sorted[first] ?? 0) > near) first++
    best = Math.max(best, last - first + 1)
  }
  return best / Math.max(1, places.length)
}

/** How much room a text takes, in letters. */
const roomOf = (text: string): number => [...text].reduce((sum, letter) => sum + (isHan(letter) ? HAN.letters : 1), 0)

const share = <T>(items: readonly T[], test: (item: T) => boolean): number => items.filter(test).length / Math.max(1, items.length)

/** Whether lines of text with columns look like a table, and not like prose in columns, a list, a table of contents or code. */
export function isTabular(lines: readonly PlacedLine[], columns: readonly Reach[]): boolean {
  const multi = lines.filter(({ placed }) => placed.length > 1)
  if (columns.length < 2 || multi.length < 2) return false
  const cells = multi.reduce((sum, { placed }) => sum + placed.reduce((inner, { first, last }) => inner + last - first + 1, 0), 0)
  if (cells < DENSITY * multi.length * columns.length) return false
  const byColumn = columns.map((_, at) => multi.flatMap(({ placed }) => placed.filter(({ first, last }) => first === at && last === at)))
  const aligned = byColumn.filter((column) => {
    const near = NEAR * (column[0]?.piece.size ?? 10) * 2
    const [lefts, rights] = [column.map(({ piece }) => piece.left), column.map(({ piece }) => piece.right)]
    const middles = column.map(({ piece }) => (piece.left + piece.right) / 2)
    return Math.max(agreement(lefts, near), agreement(rights, near), agreement(middles, near)) >= ALIGNED
  })
  if (aligned.length < 0.7 * columns.length) return false
  const texts = byColumn.map((column) => column.map(({ piece }) => piece.text))
  const [first = [], last = []] = [texts[0], texts.at(-1)]
  if (columns.length <= 3 && share(multi, ({ placed }) => placed.some(({ piece }) => LEADERS.test(piece.text))) > 0.4) return false
  if (columns.length === 2 && share(first, (text) => MARK.test(text)) > 0.5) return false
  if (columns.length === 2 && share(last, (text) => /^\d{1,3}$/.test(text)) > 0.7 && isRising(last.map(Number))) return false
  if (share(multi, ({ placed }) => placed.some(({ piece }) => CODE.test(piece.text))) > 0.4) return false
  const isProse = (column: readonly string[]): boolean =>
    share(column, (text) => text.length > LONG && !isNumber(text)) > 0.5 || share(column, (text) => roomOf(text) > LONG) > HAN.most
  return texts.filter(isProse).length < 2 || columns.length > 3
}

/** Whether numbers never fall, as those of pages do. */
const isRising = (numbers: readonly number[]): boolean => numbers.length > 2 && numbers.every((one, at) => one >= (numbers[at - 1] ?? 0))
