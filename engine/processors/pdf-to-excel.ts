import { join } from 'node:path'
import { isBlank } from '../document/is-blank.ts'
import { layoutPages } from '../document/layout-document.ts'
import { pageSheet } from '../office/xlsx/page-sheet.ts'
import type { Sheet } from '../office/xlsx/sheet.ts'
import { TableSheets } from '../office/xlsx/table-sheets.ts'
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
  const cells = { isTyped: options.typed }
  const tables = new TableSheets(cells)
  const wholePages: Sheet[] = []
  let hasText = false
  for await (const page of layoutPages(source.pages())) {
    hasText ||= !isBlank(page)
    if (options.sheets === 'table') tables.add(page)
    if (tables.isEmpty) wholePages.push(pageSheet(page, cells))
    else wholePages.length = 0
  }
  const hasMissed = options.sheets === 'table' && tables.isEmpty
  const [first, ...others] = tables.isEmpty ? wholePages : tables.end()
  if (!first || !hasText) throw new AppError('pdf.no-text', {})
  const name = resultName(input.name, 'xlsx')
  const path = join(folder, name)
  const bytes = writeWorkbook(path, { madeAt: new Date(), sheets: [first, ...others] })
  return [{ path, name, format: 'xlsx', bytes, ...(hasMissed && { note: { kind: 'no-table' } }) }]
}
