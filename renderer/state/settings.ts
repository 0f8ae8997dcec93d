import { atom } from 'jotai'
import { perPage } from './rows.ts'
import { store } from './store.ts'
import { ifKept } from '../platform/kept.ts'
import { findPage, keepOneWay, parseOptions, startOptions, type ToolPage } from '#shared/tools/index'

/** Options of a page as its form holds them: checked only when they are used. */
export type Options = Readonly<Record<string, unknown>>

const keyOf = (page: string): string => `options:${page}`

/** The options of a page: what was last used there, else what it starts with. */
export const settingsAtom = perPage((path) => {
  const page = findPage(path)
  if (!page) throw new RangeError(`no page ${path}`)
  return atom<Options>(remembered(page) ?? startOptions(page))
})

/** A form's options, checked. Throws AppError `options.*`. */
export function checkedOptions(path: string, options: Options): Options {
  const found = findPage(path)
  if (!found) throw new RangeError(`no page ${path}`)
  return { ...parseOptions(found.tool.id, options) }
}

/** A page's options after some of them were changed in its form: a percentage takes the place of sides. */
export const afterChange = (path: string, options: Options, changedKeys: readonly string[]): Options =>
  keepOneWay(findPage(path)?.tool.ways, options, changedKeys)

export function changeSettings(path: string, options: Options): void {
  store.set(settingsAtom(path), options)
  ifKept(() => localStorage.setItem(keyOf(path), JSON.stringify(keptOf(path, options))))
}

/** A password and a range of pages are for the files at hand: they are not kept. */
const keptOf = (path: string, options: Options): Options => {
  const fields = findPage(path)?.tool.options ?? {}
  return Object.fromEntries(
    Object.entries(options).filter(([key]) => {
      const view = fields[key]?.view
      return view?.kind !== 'text' || view.isKept
    }),
  )
}

/** What was last used on a page, if it still passes. */
function remembered(page: ToolPage): Options | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(page.page.path)) ?? 'null')
    return stored === null ? undefined : { ...parseOptions(page.tool.id, stored) }
  } catch {
    return undefined
  }
}
