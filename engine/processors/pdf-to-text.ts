import { layoutPage } from '../document/layout-page.ts'
import { pageText } from '../document/plain-text.ts'
import { isScanned } from '../document/scan-layer.ts'
import { identify } from '../image/identify.ts'
import { writeNamed } from '../output-file.ts'
import { openPdf } from '../pdf/open-pdf.ts'
import type { Processor } from '../processor.ts'
import { AppError } from '#shared/errors/app-error'
import { resultName } from '#shared/names'
import { pagesOf, pageStep } from '#shared/page-range'
import { MAX_PDF_PAGES } from '#shared/tools/pdf-source'

/** Windows' own programs tell UTF-8 by its mark, and end lines with both characters. */
const MARK = '\uFEFF'
const LINE_END = '\r\n'

/**
 * The text of a PDF's pages in the order in which it is read, in UTF-8: table cells parted by tabs, pages by an empty line. Throws `pdf.*`, `file.*`, and
 * `pdf.no-text` where no page has any, as in a scan; a note says where it is a scan's text layer.
 */
export const pdfToText: Processor<'pdf-to-text'> = async ({ inputs: [input], options }, { folder, progress }) => {
  await identify(input.path, ['pdf'], input.name)
  const password = options.password === '' ? {} : { password: options.password }
  const pdf = await openPdf(input.path, { maxPages: MAX_PDF_PAGES, ...password })
  const texts: string[] = []
  let hasLayer = false
  const numbers = pagesOf(options.pages, pdf.pages)
  for (const [at, number] of numbers.entries()) {
    const page = await pdf.page(number)
    hasLayer ||= isScanned(page)
    texts.push(pageText(layoutPage(page), options.breaks).join(LINE_END))
    progress((at + 1) / numbers.length, pageStep(at + 1, numbers.length))
  }
  await pdf.close()
  if (texts.every((text) => text === '')) throw new AppError('pdf.no-text', {})
  const bytes = Buffer.from(MARK + texts.join(LINE_END + LINE_END) + LINE_END, 'utf8')
  const file = await writeNamed({ bytes, format: 'txt' }, resultName(input.name, 'txt'), folder)
  return [{ ...file, ...(hasLayer && { note: { kind: 'text-layer' } }) }]
}
