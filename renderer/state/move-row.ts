import { startRows } from './batch.ts'
import { readPdf } from './read-pdf.ts'
import { addRows, dropRows, readRow, withoutJob } from './rows.ts'
import { settingsAtom } from './settings.ts'
import { store } from './store.ts'
import { newId } from '../platform/unsecured.ts'

/** What is said of a file, whatever is made of it. */
const SAID_OF_FILE: ReadonlySet<string> = new Set(['pages', 'password'])

/** Takes a file to another page of its kind and starts it there; its upload, where that is done, and what was said of it go along. */
export function moveRow(id: string, page: string): void {
  const row = readRow(id)
  if (!row) return
  const said = Object.entries({ ...store.get(settingsAtom(row.page)), ...row.options }).filter(
    ([key, value]) => SAID_OF_FILE.has(key) && value !== '',
  )
  // Its job is not deleted before another has come of it: the upload would go with it.
  dropRows(row.page, [id])
  const options = said.length > 0 ? Object.fromEntries(said) : undefined
  const movedId = newId()
  addRows(page, [{ ...row, id: movedId, page, options, ...withoutJob(row), made: undefined, status: { at: 'ready' } }])
  void readPdf(movedId)
  startRows(page, [movedId])
}
