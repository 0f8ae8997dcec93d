import { MAX_ROWS } from '../state/batch.ts'
import { addRows, newRow, rowsOf } from '../state/rows.ts'
import { showSources } from './local-files.ts'
import { pageFor } from './page-for.ts'
import type { GrantedFile } from '#shared/desktop'

/** Puts files that came from outside on their pages; the page to be shown then, and how many found no room. */
export function placeArrived(files: readonly GrantedFile[], open: string): { readonly page: string; readonly refused: number } {
  const pages = new Map<string, GrantedFile[]>()
  for (const file of files) {
    const page = pageFor(file.name, open)
    pages.set(page, [...(pages.get(page) ?? []), file])
  }
  let refused = 0
  for (const [page, some] of pages) refused += some.length - addGranted(page, some)
  const [first] = pages.keys()
  return { page: pages.has(open) ? open : (first ?? open), refused }
}

function addGranted(page: string, files: readonly GrantedFile[]): number {
  const room = Math.max(0, MAX_ROWS - rowsOf(page).length)
  const rows = files.slice(0, room).map(({ key, name, path, bytes }) => newRow({ page, name, path, bytes, key }))
  addRows(page, rows)
  showSources(rows)
  return rows.length
}
