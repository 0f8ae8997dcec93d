import { readRow, setThumbnail, type Row } from './rows.ts'
import { settingsAtom, type Options } from './settings.ts'
import { store } from './store.ts'
import { AppError, toWire, type WireError } from '#shared/errors/app-error'

/** As wide as a card on a screen of twice the density shows it. */
const WIDTH_PX = 240
/** Beyond this a look inside would take more memory than it is worth. */
const MAX_BYTES = 200 * 1024 ** 2

/** pdf.js comes with the first PDF, and only then. */
export const loadPdfFile = () => import('../pdf/pdf-file.ts')

/** The password a row's PDF is opened with, its own or that of its page's settings; empty where none is given. */
export function passwordOf({ options }: Pick<Row, 'options'>, common: Options): string {
  const given = options?.['password'] ?? common['password']
  return typeof given === 'string' ? given : ''
}

/** One after the other: each takes as much memory as it has bytes. */
let queue: Promise<void> = Promise.resolve()

/** Looks into a row's PDF: its first page becomes the row's picture, and what stands in a conversion's way is known before it is uploaded. */
export function readPdf(id: string): Promise<void> {
  queue = queue.then(() => read(id))
  return queue
}

async function read(id: string): Promise<void> {
  const row = readRow(id)
  if (!row?.file || row.file.size > MAX_BYTES) return setThumbnail(id, { kind: 'none' })
  try {
    const { openPdf } = await loadPdfFile()
    const pdf = await openPdf(row.file, passwordOf(row, store.get(settingsAtom(row.page))))
    const facts = { pages: pdf.pages, ...(pdf.isRestricted && { error: restricted }) }
    try {
      const url = URL.createObjectURL(await pdf.draw(1, WIDTH_PX))
      setThumbnail(id, { kind: 'picture', url, width: 0, height: 0, pdf: facts })
    } catch {
      setThumbnail(id, { kind: 'none', pdf: facts })
    } finally {
      await pdf.close()
    }
  } catch (thrown) {
    setThumbnail(id, { kind: 'none', ...(thrown instanceof AppError && { pdf: { error: toWire(thrown) } }) })
  }
}

const restricted: WireError = { code: 'pdf.restricted', data: {} }

/** Whether a password opens a file; undefined where the file can't be read whatever it is. */
export async function opensWith(file: File, password: string): Promise<boolean | undefined> {
  try {
    const { openPdf } = await loadPdfFile()
    await (await openPdf(file, password)).close()
    return true
  } catch (thrown) {
    return thrown instanceof AppError && (thrown.code === 'pdf.wrong-password' || thrown.code === 'pdf.password') ? false : undefined
  }
}
