import { AppError } from '#shared/errors/app-error'

/** How far a job is among a PDF's pages, as its row says it. */
export const pageStep = (page: number, pages: number): string => `第 ${page}/${pages} 页`

/** `3`, `3-7` or `3-` (to the end); dashes and commas as a Chinese keyboard writes them, too. */
const PART = /^(\d{1,6})(-(\d{0,6}))?$/

/**
 * The pages that a range names (`1-3,7`, `5-`), from 1, each once and in their order; all of them for an empty one. Pages behind the last are left
 * out. Throws `options.page-range` for what is no range, and where none of its pages is there.
 */
export function pagesOf(range: string, count: number): readonly number[] {
  if (range.trim() === '') return Array.from({ length: count }, (_, at) => at + 1)
  const wanted = new Set<number>()
  for (const part of range
    .normalize('NFKC')
    .replace(/[、;，]/g, ',')
    .replace(/[~–—至到]/g, '-')
    .replace(/\s/g, '')
    .split(',')) {
    if (part === '') continue
    const [, first = '', dash, last = ''] = PART.exec(part) ?? []
    const [from, to] = [Number(first), dash === undefined ? Number(first) : last === '' ? count : Number(last)]
    if (first === '' || from < 1 || to < from) throw new AppError('options.page-range', {})
    for (let page = from; page <= Math.min(to, count); page++) wanted.add(page)
  }
  if (wanted.size === 0) throw new AppError('options.page-range', {})
  return [...wanted].toSorted((a, b) => a - b)
}
