import { element } from '../xml.ts'

const MAIN = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'

/** The vocabularies of Word's parts. */
export const NAMES = {
  'xmlns:w': MAIN,
  'xmlns:r': 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
  'xmlns:wp': 'http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing',
  'xmlns:mc': 'http://schemas.openxmlformats.org/markup-compatibility/2006',
  'xmlns:wps': 'http://schemas.microsoft.com/office/word/2010/wordprocessingShape',
} as const

const val = (name: string, value: string | number): string => element(name, { 'w:val': value })

const HEADING_SIZES = [44, 32, 32, 28, 28, 24]

/** A heading as Chinese Word has it; what a heading looked like in the PDF is told beside each. */
const headingXml = (size: number, at: number): string =>
  element(
    'w:style',
    { 'w:type': 'paragraph', 'w:styleId': `Heading${at + 1}` },
    val('w:name', `heading ${at + 1}`),
    val('w:basedOn', 'Normal'),
    val('w:next', 'Normal'),
    val('w:uiPriority', 9),
    element('w:qFormat'),
    element('w:pPr', {}, element('w:keepNext'), element('w:keepLines'), val('w:outlineLvl', at)),
    element('w:rPr', {}, val('w:sz', size), val('w:szCs', size)),
  )

const FONTS = { 'w:ascii': 'Times New Roman', 'w:hAnsi': 'Times New Roman', 'w:eastAsia': '宋体', 'w:cs': 'Times New Roman' }

/** The styles of footnotes and of their marks. */
const noteStyles = (): string =>
  [
    element(
      'w:style',
      { 'w:type': 'paragraph', 'w:styleId': 'FootnoteText' },
      val('w:name', 'footnote text'),
      val('w:basedOn', 'Normal'),
      val('w:uiPriority', 99),
      element('w:rPr', {}, val('w:sz', 18), val('w:szCs', 18)),
    ),
    element(
      'w:style',
      { 'w:type': 'character', 'w:styleId': 'FootnoteReference' },
      val('w:name', 'footnote reference'),
      val('w:uiPriority', 99),
      element('w:rPr', {}, val('w:vertAlign', 'superscript')),
    ),
  ].join('')

/** The styles: Word's own names, which its lists of styles and its outline go by. */
export const stylesXml = (): string =>
  element(
    'w:styles',
    NAMES,
    element(
      'w:docDefaults',
      {},
      element(
        'w:rPrDefault',
        {},
        element(
          'w:rPr',
          {},
          element('w:rFonts', FONTS),
          val('w:sz', 21),
          val('w:szCs', 21),
          element('w:lang', { 'w:val': 'en-US', 'w:eastAsia': 'zh-CN', 'w:bidi': 'ar-SA' }),
        ),
      ),
      element('w:pPrDefault'),
    ),
    element(
      'w:style',
      { 'w:type': 'paragraph', 'w:default': 1, 'w:styleId': 'Normal' },
      val('w:name', 'Normal'),
      element('w:qFormat'),
      element('w:pPr', {}, val('w:widowControl', 0), val('w:snapToGrid', 0)),
    ),
    ...HEADING_SIZES.map(headingXml),
    element(
      'w:style',
      { 'w:type': 'character', 'w:default': 1, 'w:styleId': 'DefaultParagraphFont' },
      val('w:name', 'Default Paragraph Font'),
      val('w:uiPriority', 1),
      element('w:semiHidden'),
    ),
    element(
      'w:style',
      { 'w:type': 'table', 'w:default': 1, 'w:styleId': 'TableNormal' },
      val('w:name', 'Normal Table'),
      val('w:uiPriority', 99),
      element('w:semiHidden'),
    ),
    element(
      'w:style',
      { 'w:type': 'paragraph', 'w:styleId': 'ListParagraph' },
      val('w:name', 'List Paragraph'),
      val('w:basedOn', 'Normal'),
      val('w:uiPriority', 34),
      element('w:qFormat'),
    ),
    element(
      'w:style',
      { 'w:type': 'character', 'w:styleId': 'Hyperlink' },
      val('w:name', 'Hyperlink'),
      val('w:uiPriority', 99),
      element('w:rPr', {}, val('w:color', '0563C1'), val('w:u', 'single')),
    ),
    noteStyles(),
  )

/** The settings: text runs as in Word 2013 and later, Chinese punctuation keeps its width, lines that end by hand are not stretched; `notes` are the properties of its footnotes. */
export const settingsXml = (notes?: string): string =>
  element(
    'w:settings',
    NAMES,
    val('w:characterSpacingControl', 'doNotCompress'),
    notes,
    element(
      'w:compat',
      {},
      element('w:doNotExpandShiftReturn'),
      element('w:compatSetting', {
        'w:name': 'compatibilityMode',
        'w:uri': 'http://schemas.microsoft.com/office/word',
        'w:val': 15,
      }),
    ),
  )

/** The tags a part begins and ends with whose content is written piece by piece. */
export function rootTag(name: string): { readonly open: string; readonly close: string } {
  const close = `</${name}>`
  return { open: element(name, NAMES, ' ').slice(0, -close.length - 1), close }
}
