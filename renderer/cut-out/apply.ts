import { lookFields, optionsOf, type Look } from './look.ts'
import { attachmentOf } from '../state/attachment.ts'
import { startRows } from '../state/batch.ts'
import { changeRow, isActive, readRow, rowsOf, type Row } from '../state/rows.ts'
import { changeSettings, checkedOptions, settingsAtom, type Options } from '../state/settings.ts'
import { store } from '../state/store.ts'
import { AppError } from '#shared/errors/app-error'
import type { Stroke } from '#shared/strokes'
import { needsAttachment } from '#shared/tools/index'

/** Whether a row has been through the server: starting it again with another look or other strokes costs nothing. */
const wasCut = ({ status: { at } }: Row): boolean => at === 'done'

/** Throws AppError `options.*` for options that no file of a page can be started with; before anything is changed. */
function check(page: string, options: Options): void {
  if (needsAttachment('cut-out', checkedOptions(page, options)) && !attachmentOf(page)) throw new AppError('options.background-missing', {})
}

/** Keeps a look and strokes for one row and makes its result anew, where it has one or `isDue`. Throws AppError `options.*`. */
export function keep(page: string, id: string, look: Look, strokes: readonly Stroke[], isDue: boolean): void {
  const row = readRow(id)
  if (!row) return
  const common = store.get(settingsAtom(page))
  const options = { ...row.options, ...optionsOf(look, { ...common, ...row.options }), strokes }
  check(page, { ...common, ...options })
  changeRow(id, { options })
  if (wasCut(row) || isDue) startRows(page, [id])
}

const without = (options: Options, keys: readonly string[]): Options =>
  Object.fromEntries(Object.entries(options).filter(([key]) => !keys.includes(key)))

/**
 * Gives a page and all its files one look, each with strokes of its own, and makes the results anew; `strokes` are those of the row that was
 * worked on. Throws AppError `options.*`.
 */
export function keepForAll(page: string, id: string, look: Look, strokes: readonly Stroke[], isDue: boolean): void {
  const common = store.get(settingsAtom(page))
  const options = { ...common, ...optionsOf(look, common) }
  check(page, { ...options, strokes })
  changeSettings(page, options)
  const idle = rowsOf(page).filter((row) => !isActive(row))
  for (const row of idle) {
    const own = row.id === id ? { ...row.options, strokes } : (row.options ?? {})
    const left = without(own, [...Object.keys(lookFields), ...Object.keys(optionsOf(look, own))])
    changeRow(row.id, { options: Object.keys(left).length > 0 ? left : undefined })
  }
  const again = idle.filter((row) => wasCut(row) || (row.id === id && isDue)).map((row) => row.id)
  if (again.length > 0) startRows(page, again)
}
