import { text } from '#shared/tools/field'

/** The pages a PDF may have, as its limits say. */
export const MAX_PDF_PAGES = 500

/** What every tool may be told of the PDF it works on. */
export const pdfSource = {
  pages: text({ label: '页码范围', maxLength: 1200, isPassing: true, placeholder: '不填则为全部，例如 1-3,7' }),
  password: text({ label: '打开密码', maxLength: 127, isSecret: true, placeholder: 'PDF 有打开密码时填写' }),
} as const

/** What the tools that turn a PDF into another document have in common. */
export const fromPdf = {
  section: 'pdf',
  accepts: ['pdf'],
  takes: 'each',
  editor: 'form',
  cost: 'document',
  runsOn: ['cloud', 'desktop'],
} as const
