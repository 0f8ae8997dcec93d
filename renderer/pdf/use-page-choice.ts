import { useAtomValue } from 'jotai'
import { chosenOf, choiceText, rangeOf } from './page-choice.ts'
import { changeRow, listAtom, rowAtom } from '../state/rows.ts'
import { changeSettings, settingsAtom } from '../state/settings.ts'

/** The pages of a PDF that are to be converted, as its range says them. */
export interface PageChoice {
  readonly range: string
  /** None where all are. */
  readonly chosen: readonly number[]
  readonly text: string
  readonly isWrong: boolean
  readonly set: (range: string) => void
  readonly choose: (pages: readonly number[]) => void
}

/** The choice of a row. The range of the only file of a page is that of the page's form; among several each has its own. */
export function usePageChoice(id: string, count: number): PageChoice {
  const { page, options } = useAtomValue(rowAtom(id))
  const common = useAtomValue(settingsAtom(page))
  const isOnly = useAtomValue(listAtom(page)).length === 1
  const range = String(options?.['pages'] ?? common['pages'] ?? '')
  const chosen = chosenOf(range, count)
  const set = (next: string): void => {
    if (isOnly && options?.['pages'] === undefined) changeSettings(page, { ...common, pages: next })
    else changeRow(id, { options: { ...options, pages: next } })
  }
  return {
    range,
    chosen: chosen ?? [],
    text: choiceText(range, count),
    isWrong: chosen === undefined,
    set,
    choose: (pages) => set(rangeOf(pages)),
  }
}
