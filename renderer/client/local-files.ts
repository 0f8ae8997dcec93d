import { changeRow, readRow, setThumbnail, type Row, type Thumbnail } from '../state/rows.ts'
import { makeThumbnail } from '../state/thumbnails.ts'

/** A larger file is not read only to be looked at. */
const MAX_BYTES = 200 * 1024 ** 2

/** One after the other: each takes as much memory as it has bytes. */
let queue: Promise<void> = Promise.resolve()

/** Shows small pictures of files that the page was given without their bytes; `instead` of those that are not there any more. */
export function showSources(rows: readonly Pick<Row, 'id'>[], instead: () => Thumbnail = () => ({ kind: 'none' })): void {
  for (const { id } of rows) queue = queue.then(() => show(id, instead))
}

async function show(id: string, instead: () => Thumbnail): Promise<void> {
  const row = readRow(id)
  if (!row || row.file) return
  if (/\.pdf$/i.test(row.name)) {
    const [{ readPdf }] = await Promise.all([import('../state/read-pdf.ts'), restoreFile(id)])
    return readPdf(id)
  }
  const file = await readFile(row)
  await new Promise<void>((done) => {
    if (!file) return done(setThumbnail(id, instead()))
    makeThumbnail(file, (thumbnail) => done(setThumbnail(id, thumbnail)))
  })
}

/** Gives a row its file's bytes, for an editor or a look inside; nothing where they are gone or too many. */
export async function restoreFile(id: string): Promise<void> {
  const row = readRow(id)
  const file = row && !row.file ? await readFile(row) : undefined
  if (file) changeRow(id, { file })
}

async function readFile({ key, name, bytes }: Row): Promise<File | undefined> {
  if (key === undefined || bytes > MAX_BYTES) return undefined
  try {
    const answer = await fetch(`/local/files/${encodeURIComponent(key)}`)
    return answer.ok ? new File([await answer.blob()], name) : undefined
  } catch {
    return undefined
  }
}
