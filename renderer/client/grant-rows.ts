import { grantFile } from '../platform/grants.ts'
import { changeRow, readRow, type Row } from '../state/rows.ts'
import { toWire } from '#shared/errors/app-error'

/** Has files named to the main process as soon as they are on a page: one that may not be worked on says so before anything is started. */
export function grantRows(rows: readonly Pick<Row, 'id' | 'file' | 'path'>[]): void {
  for (const { id, file, path } of rows) {
    if (!file) continue
    grantFile(file, path).then(
      ({ key }) => changeRow(id, { key }),
      (error: unknown) => {
        // Started meanwhile, it asks for itself.
        if (readRow(id)?.status.at === 'ready') changeRow(id, { status: { at: 'failed', error: toWire(error) } })
      },
    )
  }
}
