import { atom } from 'jotai'
import { attachmentAtom } from './attachment.ts'
import { perPage, rowsAtom, type Made, type Row } from './rows.ts'
import { checkedOptions, settingsAtom, type Options } from './settings.ts'
import { AppError } from '#shared/errors/app-error'
import { coloursOf, findPage, needsAttachment, subjectOf, type ToolId } from '#shared/tools/index'

/** Options checked, and what is kept of them. Throws AppError `options.*`. */
export function madeWith(page: string, options: Options, attachment: File | undefined): { readonly options: Options; readonly made: Made } {
  const found = findPage(page)
  if (!found) throw new RangeError(`no page ${page}`)
  const { id } = found.tool
  const checked = checkedOptions(page, options)
  const made = {
    text: JSON.stringify(checked),
    finding: findingOf(id, checked),
    attachment: needsAttachment(id, checked) ? attachment : undefined,
  }
  return { options: checked, made }
}

/** What a job finds out first and later ones take for nothing; the same word for the same. */
function findingOf(id: ToolId, options: Options): string | undefined {
  const colours = coloursOf(id, options)
  return colours === undefined ? subjectOf(id, options) : `colours ${colours}`
}

/** Whether what was found for one result serves another: colours of a photo are those of that photo alone. */
const serves = (made: Made, wanted: Made): boolean =>
  made.finding === wanted.finding && (made.finding !== 'colours reference' || made.attachment === wanted.attachment)

/** Whether a done file would come out otherwise now, for nothing: its subject is cut out already, or its colours are found. */
const isStale = ({ status, made, file, key }: Row, wanted: Made | undefined): boolean =>
  status.at === 'done' &&
  // Nothing was paid for it, and nothing found.
  status.note?.kind !== 'unchanged' &&
  (file !== undefined || key !== undefined) &&
  made?.finding !== undefined &&
  // Settings that do not pass are told of when they are used.
  (wanted === undefined || (serves(made, wanted) && (wanted.text !== made.text || wanted.attachment !== made.attachment)))

/** Files of a page, by their ids, that were made under other settings than those of now and are made anew for nothing. */
export const staleAtom = perPage((page) => {
  const wantedAtom = atom((get) => {
    const common = get(settingsAtom(page))
    const { file } = get(attachmentAtom(page))
    const known = new Map<Options | undefined, Made | undefined>()
    return (own: Options | undefined): Made | undefined => {
      if (!known.has(own)) known.set(own, madeNow(page, { ...common, ...own }, file))
      return known.get(own)
    }
  })
  return atom((get): readonly string[] => {
    const tool = findPage(page)?.tool
    if (!tool?.subject && !tool?.colours) return []
    const wantedOf = get(wantedAtom)
    return get(rowsAtom(page)).flatMap((row) => (isStale(row, wantedOf(row.options)) ? [row.id] : []))
  })
})

/** What a file would be made with; undefined while options do not pass. */
export function madeNow(page: string, options: Options, attachment: File | undefined): Made | undefined {
  try {
    return madeWith(page, options, attachment).made
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return undefined
  }
}
