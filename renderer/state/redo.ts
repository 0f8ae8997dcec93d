import { atom } from 'jotai'
import { attachmentAtom } from './attachment.ts'
import { isActive, perPage, rowsAtom, type Made, type Row } from './rows.ts'
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

/** Whether its file is here, or on the server. */
const isHeld = ({ file, key }: Row): boolean => file !== undefined || key !== undefined

/** What a done file was made with, where it would come out otherwise now; of what does not pass that is not known. */
function outdated(row: Row, wanted: Made | undefined): Made | undefined {
  const { status, made } = row
  const isOther = made !== undefined && (wanted?.text !== made.text || wanted.attachment !== made.attachment)
  return status.at === 'done' && isHeld(row) && isOther ? made : undefined
}

/** Whether a done file would come out otherwise now, for nothing: its subject is cut out already, or its colours are found. */
function isStale(row: Row, wanted: Made | undefined): boolean {
  const made = outdated(row, wanted)
  // Of what came back unchanged nothing was paid for, and nothing found. Settings that do not pass are told of when they are used.
  const isPaid = row.status.at === 'done' && row.status.note?.kind !== 'unchanged'
  return made?.finding !== undefined && isPaid && (wanted === undefined || serves(made, wanted))
}

const wantedAtom = perPage((page) =>
  atom((get) => {
    const common = get(settingsAtom(page))
    const { file } = get(attachmentAtom(page))
    const known = new Map<Options | undefined, Made | undefined>()
    return (own: Options | undefined): Made | undefined => {
      if (!known.has(own)) known.set(own, madeNow(page, { ...common, ...own }, file))
      return known.get(own)
    }
  }),
)

/** Files of a page, by their ids, that were made under other settings than those of now and are made anew for nothing. */
export const staleAtom = perPage((page) =>
  atom((get): readonly string[] => {
    const tool = findPage(page)?.tool
    if (!tool?.subject && !tool?.colours) return []
    const wantedOf = get(wantedAtom(page))
    return get(rowsAtom(page)).flatMap((row) => (isStale(row, wantedOf(row.options)) ? [row.id] : []))
  }),
)

/** Files of a page, by their ids, that a start takes, and whether they are done and are made anew under other settings, at their cost. */
export const startableAtom = perPage((page) =>
  atom((get): { readonly ids: readonly string[]; readonly isAnew: boolean } => {
    const rows = get(rowsAtom(page))
    const stale = get(staleAtom(page))
    const idsOf = (isMeant: (row: Row) => boolean): string[] => rows.flatMap((row) => (isMeant(row) ? [row.id] : []))
    const ready = idsOf(({ id, status }) => status.at === 'ready' || stale.includes(id))
    if (ready.length > 0 || rows.some(isActive)) return { ids: ready, isAnew: false }
    // What was called off goes on, and what is done is made anew, where nothing else is left to start.
    const cancelled = idsOf((row) => row.status.at === 'cancelled' && isHeld(row))
    if (cancelled.length > 0) return { ids: cancelled, isAnew: false }
    const wantedOf = get(wantedAtom(page))
    const changed = idsOf((row) => wantedOf(row.options) !== undefined && outdated(row, wantedOf(row.options)) !== undefined)
    return { ids: changed, isAnew: changed.length > 0 }
  }),
)

/** What a file would be made with; undefined while options do not pass. */
export function madeNow(page: string, options: Options, attachment: File | undefined): Made | undefined {
  try {
    return madeWith(page, options, attachment).made
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return undefined
  }
}
