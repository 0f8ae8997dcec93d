import { defineTool } from '#shared/tools/define'
import { flag } from '#shared/tools/field'
import { pdfSource } from '#shared/tools/pdf-source'

/** The pictures of a page that it takes beside PDFs. */
export const photoFormats = ['jpeg', 'png', 'webp', 'bmp', 'tiff', 'heic'] as const

/** A scan, or the photo of a page, as a Word document whose text was recognised. */
export const pdfOcr = defineTool({
  id: 'pdf-ocr',
  section: 'pdf',
  label: 'PDF转Word（OCR）',
  accepts: ['pdf', ...photoFormats],
  takes: 'each',
  editor: 'form',
  cost: 'ai',
  deadlineMs: 1_800_000,
  runsOn: ['cloud', 'desktop'],
  options: {
    ...pdfSource,
    pictures: flag({ label: '保留图片和印章', initial: true }),
  },
  pages: [{ path: '/pdf/ocr', label: 'PDF转Word（OCR）', inMenu: true, shows: ['pictures', 'pages', 'password'] }],
})
