import { hasWaited, whenOnline } from './network.ts'
import { changeRow, isGoing, readRow, type Status } from './rows.ts'
import { entered, sessionAtom } from './session.ts'
import { whileHeard } from './silence.ts'
import { store } from './store.ts'
import { uploadSpeed } from './upload-speed.ts'
import { isClient } from '../platform/desktop.ts'
import { grantFile } from '../platform/grants.ts'
import { Upload } from '../platform/storage.ts'
import { MAX_FILE_BYTES, MAX_STORED_BYTES } from '#shared/api/jobs'
import { AppError } from '#shared/errors/app-error'

const RETRIES = 5

/** Whom an upload is for. */
interface Recipient {
  /** The folder it was picked from. */
  readonly path?: string | undefined
  readonly isWanted: () => boolean
  readonly tell: (status: Extract<Status, { at: 'uploading' | 'paused' }>) => void
}

const uploads = new Map<string, Upload>()

/** Stops the upload of a row, if there is one. */
export const stopUpload = (id: string): void => uploads.get(id)?.stop()

/** Uploads a row's file, as `uploadFile` does, and shows that in the row. */
export async function uploadRow(id: string, file: File): Promise<string | undefined> {
  const tell: Recipient['tell'] = (status) => {
    if (isGoing(id)) changeRow(id, { status })
  }
  try {
    return await uploadFile(file, {
      path: readRow(id)?.path,
      isWanted: () => isGoing(id),
      tell,
      begun: (upload) => uploads.set(id, upload),
    })
  } finally {
    uploads.delete(id)
  }
}

/**
 * Uploads a file, however often that is cut or the browser becomes another's; where it lies then, unless it is wanted no more. In the
 * client it stays where it is, and is only named.
 */
export async function uploadFile(file: File, recipient: Recipient & { begun?: (upload: Upload) => void }): Promise<string | undefined> {
  if (isClient) return (await grantFile(file, recipient.path)).key
  for (;;) {
    await entered()
    const { loginID } = store.get(sessionAtom)
    const isOurs = (): boolean => store.get(sessionAtom).loginID === loginID
    const speed = uploadSpeed()
    const upload = new Upload(file, (fraction) => {
      const bytesPerSecond = speed(fraction * file.size, performance.now())
      recipient.tell({ at: 'uploading', fraction, ...(bytesPerSecond !== undefined && { bytesPerSecond }) })
    })
    recipient.begun?.(upload)
    const key = await runUpload(upload, recipient, isOurs)
    if (isOurs() || !recipient.isWanted()) return key
  }
}

/** Carries an upload through for whoever this is; given up where `isOurs` says that it no longer is. */
async function runUpload(upload: Upload, { isWanted, tell }: Recipient, isOurs: () => boolean): Promise<string | undefined> {
  for (let attempt = 0; ; attempt++) {
    try {
      tell({ at: 'uploading', fraction: 0 })
      return await whileHeard(upload.run())
    } catch (error) {
      upload.pause()
      if (error instanceof AppError && error.code === 'session.expired') await entered()
      if (!isWanted() || !isOurs()) return undefined
      if (attempt < RETRIES && (await hasWaited(error))) continue
      if (error instanceof AppError && error.code !== 'network.offline') throw error
      const refusal = refusalOf(error)
      if (refusal) throw refusal
      if (attempt >= RETRIES && navigator.onLine) throw error
      tell({ at: 'paused' })
      await whenOnline()
      // A cut now and then is no reason to give up; five in a row while the network is there are.
      if (!navigator.onLine) attempt = 0
    }
  }
}

/** What the storage refuses for good, in our words. */
function refusalOf(error: unknown): AppError | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
  if (code === 'EntityTooLarge') return new AppError('file.too-large', { limitBytes: MAX_FILE_BYTES })
  if (code === 'QuotaExceeded') return new AppError('storage.quota', { limitBytes: MAX_STORED_BYTES })
  if (code === 'StorageFull') return new AppError('storage.full', {})
  return undefined
}
