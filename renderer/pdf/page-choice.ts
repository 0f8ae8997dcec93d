import { pagesOf } from '#shared/page-range'

/** The pages a range names; none for an empty one, which stands for all of them, and undefined for what is no range. */
export function chosenOf(range: string, count: number): readonly number[] | undefined {
  if (range.trim() === '') return []
  try {
    return pagesOf(range, count)
  } catch {
    return undefined
  }
}

/** Pages in ascending order as a range: `1-3,7`. */
export function rangeOf(pages: readonly number[]): string {
  const parts: string[] = []
  for (let at = 0; at < pages.length;) {
    const first = pages[at] ?? 0
    let length = 1
    while (pages[at + length] === first + length) length += 1
    parts.push(length === 1 ? String(first) : `${first}-${first + length - 1}`)
    at += length
  }
  return parts.join(',')
}

/** Pages with those of a stretch, whichever end is named first, taken in or left out. */
export function withStretch(chosen: readonly number[], from: number, to: number, isIn: boolean): readonly number[] {
  const [first, last] = from < to ? [from, to] : [to, from]
  const others = chosen.filter((page) => page < first || page > last)
  const stretch = isIn ? Array.from({ length: last - first + 1 }, (_, at) => first + at) : []
  return [...others, ...stretch].toSorted((a, b) => a - b)
}

/** Every page, the odd ones or the even ones. */
export const everyPage = (count: number, which: 'all' | 'odd' | 'even'): readonly number[] =>
  Array.from({ length: count }, (_, at) => at + 1).filter((page) => which === 'all' || (page % 2 === 1) === (which === 'odd'))

/** What a range comes to, in words. */
export function choiceText(range: string, count: number): string {
  const chosen = chosenOf(range, count)
  if (chosen === undefined) return '页码范围有误，请按“1-3,7”的格式填写'
  return chosen.length === 0 || chosen.length === count ? `转换全部 ${count} 页` : `已选 ${chosen.length} / ${count} 页`
}
