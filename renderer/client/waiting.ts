import { told } from './client-state.ts'
import { showSources } from './local-files.ts'
import { ask } from '../platform/ask.ts'
import { addRows, allRows, newRow, onRowsChanged, type Row } from '../state/rows.ts'
import type { RequestOf } from '#shared/desktop'

/** Settings are changed while they are dragged. */
const CALM_MS = 500

type Noted = RequestOf<'files:note-waiting'>

let timer: ReturnType<typeof setTimeout> | undefined
/** What main was told last, as JSON. */
let noted = ''

/** Puts files back that waited on their pages when the page or the client crashed, and from then on has those noted that wait; the pages that have any. */
export async function takeWaiting(): Promise<readonly string[]> {
  const files = await ask('files:waiting', undefined)
  const rows = files.map(({ page, name, path, bytes, key, options }) => newRow({ page, name, path, bytes, key, options }))
  const pages = [...new Set(rows.map(({ page }) => page))]
  for (const one of pages) {
    const own = rows.filter(({ page }) => page === one)
    addRows(one, own)
    showSources(own)
  }
  onRowsChanged(() => (timer ??= setTimeout(note, CALM_MS)))
  return pages
}

function note(): void {
  timer = undefined
  const files = allRows().flatMap(waitingOf)
  const text = JSON.stringify(files)
  if (text === noted) return
  noted = text
  void told('', () => ask('files:note-waiting', files))
}

/** A row that is not with the main process yet. */
function waitingOf({ key, page, options, status: { at } }: Row): Noted {
  const isWaiting = at === 'ready' || at === 'waiting' || at === 'submitting'
  return isWaiting && key !== undefined ? [{ key, page, ...(options && { options: { ...options } }) }] : []
}
