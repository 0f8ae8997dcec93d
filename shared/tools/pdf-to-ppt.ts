import { defineTool } from '#shared/tools/define'
import { fromPdf, pdfSource } from '#shared/tools/pdf-source'

/** The pages of a PDF as slides. */
export const pdfToPpt = defineTool({
  id: 'pdf-to-ppt',
  ...fromPdf,
  label: 'PDF转PPT',
  options: { ...pdfSource },
  pages: [{ path: '/pdf/toppt', label: 'PDF转PPT', inMenu: true, shows: ['pages', 'password'] }],
})
