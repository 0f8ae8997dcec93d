import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createOfd } from '../ofd/ofd-package.ts'
import { openJobPdf } from '../pdf/job-pages.ts'
import type { Processor } from '../processor.ts'
import { resultName } from '#shared/names'

/** A PDF's pages as OFD (GB/T 33190-2016), looking as they did, their text still text. Throws `pdf.*` and `file.*`. */
export const pdfToOfd: Processor<'pdf-to-ofd'> = async ({ inputs: [input], options }, context) => {
  const pictures = await mkdtemp(join(context.folder, 'pictures-'))
  const name = resultName(input.name, 'ofd')
  const path = join(context.folder, name)
  try {
    await using pdf = await openJobPdf(input, options, context, { paints: 'everything', pictures })
    const ofd = createOfd(path, pdf.pdf.title)
    for await (const page of pdf.pages()) ofd.page(page)
    return [{ path, name, format: 'ofd', bytes: ofd.close(await pdf.pdf.outline()) }]
  } finally {
    await rm(pictures, { recursive: true, force: true })
  }
}
