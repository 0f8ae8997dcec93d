import { layoutPage } from '../document/layout-page.ts'
import { pageText } from '../document/plain-text.ts'
import { isScanned } from '../document/scan-layer.ts'
import { writeNamed } from '../output-file.ts'
import { openJobPdf } from '../pdf/job-pages.ts'
import type { Processor } from '../processor.ts'
import { AppError } from '#shared/errors/app-error'
import { resultName } from '#shared/names'

/** Windows' own programs tell UTF-8 by its mark, and end lines with both characters. */
const MARK = '\uFEFF'
const LINE_END = '\r\n'

/**
 * The text of a PDF's pages in the order in which it is read, in UTF-8: table cells parted by tabs, pages by an empty line. Throws `pdf.*`, `file.*`, and
 * `pdf.no-text` where no page has any, as in a scan; a note says where it is a scan's text layer.
 */
export const pdfToText: Processor<'pdf-to-text'> = async ({ inputs: [input], options }, context) => {
  await using source = await openJobPdf(input, options, context)
  const texts: string[] = []
  let hasLayer = false
  for await (const page of source.pages()) {
    hasLayer ||= isScanned(page)
    texts.push(pageText(layoutPage(page), options.breaks).join(LINE_END))
  }
  if (texts.every((text) => text === '')) throw new AppError('pdf.no-text', {})
  const bytes = Buffer.from(MARK + texts.join(LINE_END + LINE_END) + LINE_END, 'utf8')
  const file = await writeNamed({ bytes, format: 'txt' }, resultName(input.name, 'txt'), context.folder)
  return [{ ...file, ...(hasLayer && { note: { kind: 'text-layer' } }) }]
}
