import { defineTool } from '#shared/tools/define'
import { choice, flag } from '#shared/tools/field'
import { fromPdf, pdfSource } from '#shared/tools/pdf-source'

/** The tables of a PDF as a workbook. */
export const pdfToExcel = defineTool({
  id: 'pdf-to-excel',
  ...fromPdf,
  label: 'PDF转Excel',
  options: {
    ...pdfSource,
    sheets: choice({ label: '工作表', choices: { table: '每个表格一张', page: '每页一张，含表格外的文字' }, initial: 'table' }),
    typed: flag({ label: '识别数字和日期', hint: '关闭后所有单元格都按文本保存', initial: true }),
  },
  pages: [{ path: '/pdf/toexcel', label: 'PDF转Excel', inMenu: true, shows: ['sheets', 'typed', 'pages', 'password'] }],
})
