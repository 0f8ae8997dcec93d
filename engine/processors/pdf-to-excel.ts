import { join } from 'node:path'
import { isBlank } from '../document/is-blank.ts'
import { layoutDocument } from '../document/layout-document.ts'
import { pageSheets } from '../office/xlsx/page-sheets.ts'
import { tableSheets } from '../office/xlsx/table-sheets.ts'
import { writeWorkbook } from '../office/xlsx/workbook.ts'
import { openJobPdf } from '../pdf/job-pages.ts'
import type { Processor } from '../processor.ts'
import { AppError } from '#shared/errors/app-error'
import { resultName } from '#shared/names'

/**
 * The tables of a PDF as a workbook, a sheet each, or its pages. Where there are no tables its pages come all the same, and a note says so. Throws `pdf.*`,
 * `file.*`, and `pdf.no-text` where no page has any text, as in a scan.
 */
export const pdfToExcel: Processor<'pdf-to-excel'> = async ({ inputs: [input], options }, context) => {
  const { folder } = context
  await using source = await openJobPdf(input, options, context)
  const document = await layoutDocument(source.pages())
  if (document.pages.every(isBlank)) throw new AppError('pdf.no-text', {})
  const tables = options.sheets === 'table' ? tableSheets(document, { isTyped: options.typed }) : []
  const [first, ...others] = tables.length > 0 ? tables : pageSheets(document, { isTyped: options.typed })
  if (!first) throw new AppError('pdf.no-text', {})
  const name = resultName(input.name, 'xlsx')
  const path = join(folder, name)
  const bytes = writeWorkbook(path, { title: document.title, madeAt: new Date(), sheets: [first, ...others] })
  const hasMissed = options.sheets === 'table' && tables.length === 0
  return [{ path, name, format: 'xlsx', bytes, ...(hasMissed && { note: { kind: 'no-table' } }) }]
}
