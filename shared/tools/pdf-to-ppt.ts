import { defineTool } from '#shared/tools/define'
import { pdfSource } from '#shared/tools/pdf-source'

/** The pages of a PDF as slides. */
export const pdfToPpt = defineTool({
  id: 'pdf-to-ppt',
  section: 'pdf',
  label: 'PDF转PPT',
  accepts: ['pdf'],
  takes: 'each',
  editor: 'form',
  cost: 'document',
  runsOn: ['cloud', 'desktop'],
  options: { ...pdfSource },
  pages: [{ path: '/pdf/toppt', label: 'PDF转PPT', inMenu: true, shows: ['pages', 'password'] }],
})
