import { join } from 'node:path'
import type { PageLayout } from '../document/document-model.ts'
import { isBlank } from '../document/is-blank.ts'
import { layoutPages } from '../document/layout-document.ts'
import { isScanned, textLayerOf } from '../document/scan-layer.ts'
import { writeDocx } from '../office/docx/write-docx.ts'
import { openJobPdf } from '../pdf/job-pages.ts'
import type { PageModel } from '../pdf/page-model.ts'
import type { Processor } from '../processor.ts'
import { AppError } from '#shared/errors/app-error'
import { resultName } from '#shared/names'
import type { OptionsOf } from '#shared/tools/index'

/** A page without the furniture that is not wanted of it. */
const wanted = (page: PageLayout, { furniture }: OptionsOf<'pdf-to-word'>): PageLayout =>
  furniture ? page : { ...page, header: [], footer: [] }

/**
 * A PDF as a Word document: text that flows, tables, pictures, each page where it was. Throws `pdf.*`, `file.*`, and `pdf.no-text` where no page has
 * any text, as in a scan: its document would hold pictures only. A scan with a text layer comes as that text, which can be edited, without the picture
 * of the page; a note says so.
 */
export const pdfToWord: Processor<'pdf-to-word'> = async ({ inputs: [input], options }, context) => {
  const { folder } = context
  await using source = await openJobPdf(input, options, context, options.pictures ? { paints: 'drawings', pictures: folder } : {})
  let [hasText, hasLayer] = [false, false]
  async function* models(): AsyncGenerator<PageModel> {
    for await (const page of source.pages()) {
      const isLayer = isScanned(page)
      hasLayer ||= isLayer
      yield isLayer ? textLayerOf(page) : page
    }
  }
  async function* pages(): AsyncGenerator<PageLayout> {
    for await (const page of layoutPages(models())) {
      hasText ||= !isBlank(page)
      yield wanted(page, options)
    }
  }
  const name = resultName(input.name, 'docx')
  const path = join(folder, name)
  const bytes = await writeDocx(path, pages(), { title: source.pdf.title, outline: await source.pdf.outline(), madeAt: new Date() })
  if (!hasText) throw new AppError('pdf.no-text', {})
  return [{ path, name, format: 'docx', bytes, ...(hasLayer && { note: { kind: 'text-layer' } }) }]
}
