import type { TextStyle } from '#engine/document/document-model'
import { officeFont } from '../fonts.ts'
import { officeColour } from '../units.ts'
import { element } from '../xml.ts'

const on = (is: boolean, name: string): string | undefined => (is ? element(name) : undefined)

/** What changes from run to run beside its style. */
export interface RunChange {
  readonly spacing?: number
  readonly scale?: number
  readonly isLink?: boolean
  /** It is a note's mark. */
  readonly isNote?: boolean
  /** Punctuation of both scripts is the Chinese one. */
  readonly isEastAsian?: boolean
}

/** Raised and lowered letters are drawn at this part of the size they are given. */
const SCRIPT_SIZE = 0.58

/** The size a style is given in Word, whose unit is the half point. */
const halfPoints = ({ size }: TextStyle): number => Math.max(2, Math.min(3276, Math.round(size * 2)))

/** The size in which Word draws a style's letters, in points. */
export const drawnSize = (style: TextStyle): number => (halfPoints(style) / 2) * (style.script === undefined ? 1 : SCRIPT_SIZE)

/** A style as run properties, in the order the schema asks for (CT_RPr). */
export function styleXml(
  style: TextStyle,
  { spacing = 0, scale = 100, isLink = false, isNote = false, isEastAsian = false }: RunChange = {},
): string {
  const { latin, eastAsia } = officeFont(style.font)
  // The style of notes' marks raises them.
  const isMark = isNote && style.script === 'super'
  const script = isMark ? undefined : style.script && (style.script === 'super' ? 'superscript' : 'subscript')
  return element(
    'w:rPr',
    {},
    isMark || isLink ? element('w:rStyle', { 'w:val': isMark ? 'FootnoteReference' : 'Hyperlink' }) : undefined,
    element('w:rFonts', {
      'w:hint': isEastAsian ? 'eastAsia' : undefined,
      'w:ascii': latin,
      'w:hAnsi': latin,
      'w:eastAsia': eastAsia,
      'w:cs': latin,
    }),
    on(style.isBold, 'w:b'),
    on(style.isItalic, 'w:i'),
    on(style.isStruck, 'w:strike'),
    style.colour !== '#000000' || isLink ? element('w:color', { 'w:val': officeColour(style.colour) }) : undefined,
    spacing === 0 ? undefined : element('w:spacing', { 'w:val': spacing }),
    scale === 100 ? undefined : element('w:w', { 'w:val': scale }),
    element('w:sz', { 'w:val': halfPoints(style) }),
    element('w:szCs', { 'w:val': halfPoints(style) }),
    style.isUnderlined || isLink ? element('w:u', { 'w:val': style.isUnderlined ? 'single' : 'none' }) : undefined,
    style.highlight === undefined
      ? undefined
      : element('w:shd', { 'w:val': 'clear', 'w:color': 'auto', 'w:fill': officeColour(style.highlight) }),
    script === undefined ? undefined : element('w:vertAlign', { 'w:val': script }),
  )
}
