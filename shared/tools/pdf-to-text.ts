import { defineTool } from '#shared/tools/define'
import { choice } from '#shared/tools/field'
import { fromPdf, pdfSource } from '#shared/tools/pdf-source'

/** The text of a PDF in the order in which it is read. */
export const pdfToText = defineTool({
  id: 'pdf-to-text',
  ...fromPdf,
  label: 'PDF转TXT',
  options: {
    ...pdfSource,
    breaks: choice({ label: '换行', choices: { paragraph: '合并成段落', line: '保留原来的每一行' }, initial: 'paragraph' }),
  },
  pages: [{ path: '/pdf/totxt', label: 'PDF转TXT', inMenu: true, shows: ['breaks', 'pages', 'password'] }],
})
