import { defineTool } from '#shared/tools/define'
import { pdfSource } from '#shared/tools/pdf-source'

/** A PDF as OFD, the format of Chinese authorities (GB/T 33190-2016). */
export const pdfToOfd = defineTool({
  id: 'pdf-to-ofd',
  section: 'pdf',
  label: 'PDF转OFD',
  accepts: ['pdf'],
  takes: 'each',
  editor: 'form',
  cost: 'document',
  runsOn: ['cloud', 'desktop'],
  options: pdfSource,
  pages: [{ path: '/pdf/toofd', label: 'PDF转OFD', inMenu: true, shows: ['pages', 'password'] }],
})
