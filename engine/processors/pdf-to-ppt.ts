import { join } from 'node:path'
import { isBlank } from '../document/is-blank.ts'
import { layoutPage } from '../document/layout-page.ts'
import { createPresentation, type Presentation } from '../office/pptx/presentation.ts'
import { openJobPdf } from '../pdf/job-pages.ts'
import type { Processor } from '../processor.ts'
import { AppError } from '#shared/errors/app-error'
import { resultName } from '#shared/names'

/**
 * The pages of a PDF as slides: a box for each paragraph, tables as tables, pictures and drawings in their places. Scanned pages come as pictures; a note
 * says so where no page has any text. Throws `pdf.*`, `file.*`, and `pdf.no-text` where there are no pictures either.
 */
export const pdfToPpt: Processor<'pdf-to-ppt'> = async ({ inputs: [input], options }, context) => {
  const { folder } = context
  await using source = await openJobPdf(input, options, context, { paints: 'drawings', pictures: folder })
  const name = resultName(input.name, 'pptx')
  const path = join(folder, name)
  let presentation: Presentation | undefined
  let [hasText, hasPictures] = [false, false]
  for await (const page of source.pages()) {
    presentation ??= createPresentation(path, { size: page, numbers: source.numbers })
    const layout = layoutPage(page)
    hasText ||= !isBlank(layout)
    hasPictures ||= layout.pictures.length > 0
    presentation.add(layout, page)
  }
  if (!presentation || (!hasText && !hasPictures)) throw new AppError('pdf.no-text', {})
  const bytes = presentation.close({ madeAt: new Date() })
  return [{ path, name, format: 'pptx', bytes, ...(!hasText && { note: { kind: 'scanned' } }) }]
}
