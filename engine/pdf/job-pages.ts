import { openPdf, type OpenOptions, type Pdf } from './open-pdf.ts'
import type { PageModel } from './page-model.ts'
import { openNetworks } from '../ocr/networks.ts'
import { openGlyphReader } from '../ocr/read-glyphs.ts'
import { identify } from '../image/identify.ts'
import type { Context, InputFile } from '../processor.ts'
import { pagesOf, pageStep } from '#shared/page-range'
import { MAX_PDF_PAGES } from '#shared/tools/pdf-source'

/** What every PDF tool may be told of its PDF (`shared/tools/pdf-source.ts`). */
export interface SourceOptions {
  readonly pages: string
  readonly password: string
}

/** A job's PDF and the numbers of the pages it asks for. */
export interface JobPdf extends AsyncDisposable {
  readonly pdf: Pdf
  readonly numbers: readonly number[]
  /** The pages one after the other, telling how far the job is. */
  readonly pages: () => AsyncGenerator<PageModel>
}

/** What `take` says; where it throws, nobody is left to close the file. */
async function closingUnless<T>(pdf: Pdf, take: () => T): Promise<T> {
  try {
    return take()
  } catch (thrown) {
    await pdf.close()
    throw thrown
  }
}

/** No more glyphs are read once so much of a job's time is over: what is left is for all its pages. */
const READING_SHARE = 0.5

/** Opens a job's PDF. Throws `file.*`, `pdf.*` and `options.page-range`. */
export async function openJobPdf(
  input: InputFile,
  { pages: range, password }: SourceOptions,
  { progress, ...context }: Pick<Context, 'progress' | 'msLeft' | 'modelsFolder'>,
  options: Omit<OpenOptions, 'password' | 'maxPages' | 'reader'> = {},
): Promise<JobPdf> {
  await identify(input.path, ['pdf'], input.name)
  const end = context.msLeft() * (1 - READING_SHARE)
  const reader = openGlyphReader(
    () => openNetworks(context.modelsFolder).catch(() => undefined),
    () => context.msLeft() > end,
  )
  const pdf = await openPdf(input.path, { ...options, reader, maxPages: MAX_PDF_PAGES, ...(password !== '' && { password }) })
  const numbers = await closingUnless(pdf, () => pagesOf(range, pdf.pages))
  async function* pages(): AsyncGenerator<PageModel> {
    for (const [at, number] of numbers.entries()) {
      yield await pdf.page(number)
      progress((at + 1) / numbers.length, pageStep(at + 1, numbers.length))
    }
  }
  return { pdf, numbers, pages, [Symbol.asyncDispose]: () => pdf.close() }
}
