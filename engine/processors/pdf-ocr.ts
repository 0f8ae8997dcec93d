import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { PageLayout } from '../document/document-model.ts'
import { isBlank } from '../document/is-blank.ts'
import { layoutPages } from '../document/layout-document.ts'
import { identify } from '../image/identify.ts'
import type { Networks } from '../ocr/networks.ts'
import { openNetworks } from '../ocr/networks.ts'
import { openPhotoPage } from '../ocr/photo-page.ts'
import { recognisePage } from '../ocr/recognise-page.ts'
import { needsRecognition } from '../ocr/text-layer.ts'
import { writeDocx } from '../office/docx/write-docx.ts'
import { openJobPdf } from '../pdf/job-pages.ts'
import type { PageModel } from '../pdf/page-model.ts'
import { openDrawable } from '../pdf/raster.ts'
import type { Context, Job, Processor } from '../processor.ts'
import { AppError } from '#shared/errors/app-error'
import { resultName } from '#shared/names'
import { pagesOf, pageStep } from '#shared/page-range'
import { photoFormats } from '#shared/tools/pdf-ocr'

/** Letters of 9 points are 25 pixels high. */
const DPI = 200
/** A page of A3. What is larger is drawn as large. */
const MAX_PIXELS = 8e6
/** As many as fit into the time a job has, at 6 seconds each. */
const MAX_PAGES = 300

/** A job at work. */
interface Work {
  readonly job: Job<'pdf-ocr'>
  readonly context: Context
  readonly networks: Networks
  /** Where pictures are written, if they are wanted. */
  readonly folder?: string
}

/** The one page of a picture. */
async function* photoPages({ job, context, networks, folder }: Work): AsyncGenerator<PageModel> {
  const [{ path, name }] = job.inputs
  const { bitmap, dpi } = await openPhotoPage(path, photoFormats, context.limits, name)
  const step = (share: number): void => context.progress(0.1 + 0.8 * share)
  yield await recognisePage({ bitmap, dpi, number: 1, step, ...(folder !== undefined && { folder }) }, networks)
}

/** The pages of a PDF: as they say themselves, or, where that is nothing, as they look. */
async function* pdfPages({ job, context, networks, folder }: Work): AsyncGenerator<PageModel> {
  const [input] = job.inputs
  const { options } = job
  const pictures = folder === undefined ? {} : { pictures: folder }
  await using source = await openJobPdf(input, options, context, pictures)
  const numbers = pagesOf(options.pages, source.pdf.pages)
  if (numbers.length > MAX_PAGES) throw new AppError('pdf.too-many-pages', { maxPages: MAX_PAGES })
  const drawable = await openDrawable(input.path, options.password === '' ? undefined : options.password)
  try {
    for (const [at, number] of numbers.entries()) {
      const step = (share: number): void => context.progress((at + share) / numbers.length, pageStep(at + 1, numbers.length))
      step(0)
      const page = await source.pdf.page(number)
      if (!needsRecognition(page)) {
        yield page
        continue
      }
      const { dpi, ...bitmap } = drawable.draw(number, { dpi: DPI, maxPixels: MAX_PIXELS })
      yield await recognisePage({ bitmap, dpi, number, step, ...(folder !== undefined && { folder }) }, networks)
    }
  } finally {
    drawable.close()
  }
}

/**
 * A scan as a Word document: what it says is recognised, tables are found by their rules, photos and seals kept. Pages with text of their own keep it.
 * A picture of a page is taken for a page. Throws `pdf.*`, `file.*`, `image.*`, `ocr.model-missing`, and `ocr.no-text` where nothing can be read.
 */
export const pdfOcr: Processor<'pdf-ocr'> = async (job, context) => {
  const [input] = job.inputs
  const { format } = await identify(input.path, ['pdf', ...photoFormats], input.name)
  const networks = await openNetworks(context.modelsFolder)
  const folder = join(context.folder, 'pictures')
  await mkdir(folder)
  const work = { job, context, networks, ...(job.options.pictures && { folder }) }
  let hasText = false
  async function* pages(): AsyncGenerator<PageLayout> {
    for await (const page of layoutPages(format === 'pdf' ? pdfPages(work) : photoPages(work))) {
      hasText ||= !isBlank(page)
      yield page
    }
  }
  const name = resultName(input.name, 'docx')
  const path = join(context.folder, name)
  const bytes = await writeDocx(path, pages(), { madeAt: new Date() })
  if (!hasText) throw new AppError('ocr.no-text', {})
  return [{ path, name, format: 'docx', bytes }]
}
