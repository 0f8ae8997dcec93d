import { defineTool } from '#shared/tools/define'
import { flag } from '#shared/tools/field'
import { fromPdf, pdfSource } from '#shared/tools/pdf-source'

/** A PDF as a Word document that looks like it. */
export const pdfToWord = defineTool({
  id: 'pdf-to-word',
  ...fromPdf,
  label: 'PDF转Word',
  options: {
    ...pdfSource,
    pictures: flag({ label: '保留图片', initial: true }),
    furniture: flag({ label: '保留页眉页脚', initial: true }),
  },
  pages: [{ path: '/pdf/toword', label: 'PDF转Word', inMenu: true, shows: ['pictures', 'furniture', 'pages', 'password'] }],
})
