import { element } from '../xml.ts'

/** The namespaces of what is written on slides. */
export const NAMES = {
  'xmlns:a': 'http://schemas.openxmlformats.org/drawingml/2006/main',
  'xmlns:r': 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
  'xmlns:p': 'http://schemas.openxmlformats.org/presentationml/2006/main',
} as const

const COLOURS = {
  dk1: '000000',
  lt1: 'FFFFFF',
  dk2: '44546A',
  lt2: 'E7E6E6',
  accent1: '4472C4',
  accent2: 'ED7D31',
  accent3: 'A5A5A5',
  accent4: 'FFC000',
  accent5: '5B9BD5',
  accent6: '70AD47',
  hlink: '0563C1',
  folHlink: '954F72',
} as const

const fontsXml = (name: string): string =>
  element(name, {}, element('a:latin', { typeface: 'Arial' }), element('a:ea', { typeface: '微软雅黑' }), element('a:cs', { typeface: '' }))

const phColour = element('a:solidFill', {}, element('a:schemeClr', { val: 'phClr' }))
const three = (xml: string): string => xml.repeat(3)

/** A theme: the least that PowerPoint takes (ISO/IEC 29500-1 §20.1.6.9). */
export const themeXml = element(
  'a:theme',
  { 'xmlns:a': NAMES['xmlns:a'], name: 'Office' },
  element(
    'a:themeElements',
    {},
    element(
      'a:clrScheme',
      { name: 'Office' },
      ...Object.entries(COLOURS).map(([name, val]) => element(`a:${name}`, {}, element('a:srgbClr', { val }))),
    ),
    element('a:fontScheme', { name: 'Office' }, fontsXml('a:majorFont'), fontsXml('a:minorFont')),
    element(
      'a:fmtScheme',
      { name: 'Office' },
      element('a:fillStyleLst', {}, three(phColour)),
      element('a:lnStyleLst', {}, three(element('a:ln', { w: 6350 }, phColour))),
      element('a:effectStyleLst', {}, three(element('a:effectStyle', {}, element('a:effectLst')))),
      element('a:bgFillStyleLst', {}, three(phColour)),
    ),
  ),
)

const emptyTree = element(
  'p:spTree',
  {},
  element('p:nvGrpSpPr', {}, element('p:cNvPr', { id: 1, name: '' }), element('p:cNvGrpSpPr'), element('p:nvPr')),
  element('p:grpSpPr'),
)

const MAP = {
  bg1: 'lt1',
  tx1: 'dk1',
  bg2: 'lt2',
  tx2: 'dk2',
  accent1: 'accent1',
  accent2: 'accent2',
  accent3: 'accent3',
  accent4: 'accent4',
  accent5: 'accent5',
  accent6: 'accent6',
  hlink: 'hlink',
  folHlink: 'folHlink',
}

const background = element(
  'p:bg',
  {},
  element('p:bgPr', {}, element('a:solidFill', {}, element('a:schemeClr', { val: 'bg1' })), element('a:effectLst')),
)

/** The master of all slides, with its one layout. */
export const masterXml = (layoutId: string): string =>
  element(
    'p:sldMaster',
    NAMES,
    element('p:cSld', {}, background, emptyTree),
    element('p:clrMap', MAP),
    element('p:sldLayoutIdLst', {}, element('p:sldLayoutId', { id: 2_147_483_649, 'r:id': layoutId })),
    element('p:txStyles', {}, element('p:titleStyle'), element('p:bodyStyle'), element('p:otherStyle')),
  )

/** A layout with nothing on it. */
export const layoutXml = element(
  'p:sldLayout',
  { ...NAMES, type: 'blank', preserve: 1 },
  element('p:cSld', { name: '空白' }, emptyTree),
  element('p:clrMapOvr', {}, element('a:masterClrMapping')),
)
