import { atom } from 'jotai'
import { perPage, type Thumbnail } from './rows.ts'
import { store } from './store.ts'
import { makeThumbnail } from './thumbnails.ts'
import { words } from '../words.ts'
import { AppError, toWire, type WireError } from '#shared/errors/app-error'
import { formatLabels, hasExtension } from '#shared/formats'
import { splitName } from '#shared/names'
import { findPage } from '#shared/tools/index'

/** The second file that a page's jobs share, a background picture; `file` is undefined until one is chosen. */
export interface Attached {
  readonly file: File | undefined
  readonly thumbnail: Thumbnail
  /** Why the last file that was picked is not the one. */
  readonly error: WireError | undefined
  /** How far it is uploaded, while it is. */
  readonly fraction: number | undefined
}

const none: Attached = { file: undefined, thumbnail: { kind: 'none' }, error: undefined, fraction: undefined }

/** What is chosen on a page, for as long as the tab lives. */
export const attachmentAtom = perPage(() => atom<Attached>(none))

/** The second file of a page's jobs, as `chooseAttachment` was given it. */
export const attachmentOf = (page: string): File | undefined => store.get(attachmentAtom(page)).file

/** Takes a picked file in place of the one that is chosen; none with undefined. One that will not do is told of, and changes nothing else. */
export function chooseAttachment(page: string, file: File | undefined): void {
  const before = store.get(attachmentAtom(page))
  const error = file && refusalOf(page, file)
  if (error) return store.set(attachmentAtom(page), { ...before, error: toWire(error) })
  if (before.thumbnail.kind === 'picture') URL.revokeObjectURL(before.thumbnail.url)
  store.set(attachmentAtom(page), file ? { ...none, file, thumbnail: { kind: 'pending' } } : none)
  if (!file) return
  makeThumbnail(file, (thumbnail) => {
    if (attachmentOf(page) === file) change(page, { thumbnail })
    else if (thumbnail.kind === 'picture') URL.revokeObjectURL(thumbnail.url)
  })
}

/** Says at the field that a file is missing, or no longer. */
export const tellAttachment = (page: string, error: WireError | undefined): void => change(page, { error })

/** Says how far a page's second file is uploaded, while it is. */
export const tellFraction = (page: string, fraction: number | undefined): void => change(page, { fraction })

const change = (page: string, changed: Partial<Attached>): void =>
  store.set(attachmentAtom(page), (before: Attached) => ({ ...before, ...changed }))

function refusalOf(page: string, { name, size }: File): AppError | undefined {
  const accepts = findPage(page)?.tool.attachment?.accepts ?? []
  const { extension } = splitName(name)
  if (!accepts.some((id) => hasExtension(id, extension))) return new AppError('file.unsupported', { formats: formatLabels(accepts) })
  if (size === 0) return new AppError('file.empty', {})
  return size > words.maxFile.bytes ? new AppError('file.too-large', { limitBytes: words.maxFile.bytes }) : undefined
}
