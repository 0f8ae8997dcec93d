import { attachmentOf, tellFraction } from './attachment.ts'
import { isActive, rowsOf } from './rows.ts'
import { entered, sessionAtom } from './session.ts'
import { store } from './store.ts'
import { uploadFile } from './upload-file.ts'

interface Kept {
  readonly loginID: string
  readonly key: Promise<string | undefined>
}

/** Where files lie that were uploaded once for all the rows that share them. */
const uploads = new WeakMap<File, Kept>()

/** Uploads a page's second file, unless it lies there already for whoever this is; its key, or undefined when nobody waits for it any more. */
export async function uploadAttachment(page: string, file: File): Promise<string | undefined> {
  for (;;) {
    await entered()
    const { loginID } = store.get(sessionAtom)
    const known = uploads.get(file)
    const kept = known?.loginID === loginID ? known : { loginID, key: upload(page, file) }
    uploads.set(file, kept)
    const key = await kept.key
    // The browser became another's meanwhile: what is uploaded may be either's.
    if (store.get(sessionAtom).loginID !== loginID) continue
    if (key === undefined) uploads.delete(file)
    return key
  }
}

/** Forgets where a file lies: it is gone from there. */
export const forgetAttachment = (file: File): boolean => uploads.delete(file)

function upload(page: string, file: File): Promise<string | undefined> {
  const tell = (fraction: number | undefined): void => {
    if (attachmentOf(page) === file) tellFraction(page, fraction)
  }
  return uploadFile(file, {
    isWanted: () => attachmentOf(page) === file || rowsOf(page).some(isActive),
    tell: (status) => tell(status.at === 'uploading' ? status.fraction : undefined),
  })
    .catch((error: unknown) => {
      uploads.delete(file)
      throw error
    })
    .finally(() => tell(undefined))
}
