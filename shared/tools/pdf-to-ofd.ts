import { defineTool } from '#shared/tools/define'
import { fromPdf, pdfSource } from '#shared/tools/pdf-source'

/** A PDF as OFD, the format of Chinese authorities (GB/T 33190-2016). */
export const pdfToOfd = defineTool({
  id: 'pdf-to-ofd',
  ...fromPdf,
  label: 'PDF转OFD',
  options: pdfSource,
  pages: [{ path: '/pdf/toofd', label: 'PDF转OFD', inMenu: true, shows: ['pages', 'password'] }],
})
