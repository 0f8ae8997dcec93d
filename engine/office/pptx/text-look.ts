import type { SlideSpace } from './slide-space.ts'
import { officeFont } from '../fonts.ts'
import { officeColour } from '../units.ts'
import { element } from '../xml.ts'
import type { LinkTarget, TextStyle } from '#engine/document/document-model'

/** What may be opened from a presentation that somebody else wrote. */
const OPENABLE = /^(https?|mailto|ftp):/i
const HYPERLINK_COLOUR = 'http://schemas.microsoft.com/office/drawing/2018/hyperlinkcolor'

const STEP = 72 / 2540
/** Of a step so much may be too much for each letter of a line: its box has as much to spare. */
const MOST_OVER = 0.1

/** Points in hundredths, the unit of sizes in DrawingML. */
export const hundredths = (points: number): number => Math.round(points * 100)

/** Raised and lowered letters are drawn at this part of the size they are given. */
const SCRIPT_SIZE = 0.58

/** The size in which a style's letters are drawn, in points. */
export const shownSize = ({ size, script }: TextStyle): number => size * (script === undefined ? 1 : SCRIPT_SIZE)

/**
 * What is added behind letters, in hundredths of a point. LibreOffice takes it in hundredths of a millimetre, and what is taken away (less than 0) up to
 * one too little: where a line may break, it is told what it surely has room for.
 */
function spacingValue(points: number, mayBreak: boolean): number | undefined {
  const steps = points / STEP
  if (!mayBreak) return Math.round(100 * points - (points < 0 ? 0.7 : 0)) || undefined
  const whole = Math.floor(steps + MOST_OVER)
  return (whole < 0 ? Math.floor(100 * STEP * (whole - 0.5)) : hundredths(STEP * whole)) || undefined
}

/** A link keeps the colour of its text, where PowerPoint is new enough to be told so. */
const ownColour = element(
  'a:extLst',
  {},
  element(
    'a:ext',
    { uri: '{A12FA001-AC4F-418D-AE19-62706E023703}' },
    element('ahyp:hlinkClr', { 'xmlns:ahyp': HYPERLINK_COLOUR, val: 'tx' }),
  ),
)

function linkXml(target: LinkTarget | undefined, { relations, slideOf }: SlideSpace): string | undefined {
  if (!target) return undefined
  if ('url' in target)
    return OPENABLE.test(target.url)
      ? element('a:hlinkClick', { 'r:id': relations.address('hyperlink', target.url) }, ownColour)
      : undefined
  const path = slideOf(target.page)
  if (path === undefined) return undefined
  return element('a:hlinkClick', { 'r:id': relations.part('slide', path), action: 'ppaction://hlinksldjump' }, ownColour)
}

/** Letters without ink stay there to be found: the picture beneath shows them. */
const inkOf = ({ colour, isHidden }: TextStyle): string =>
  element('a:solidFill', {}, element('a:srgbClr', { val: officeColour(colour) }, isHidden ? element('a:alpha', { val: 0 }) : undefined))

/** What letters of a run have in common. */
export interface Look {
  readonly style: TextStyle
  /** What is added behind each letter, in points. */
  readonly spacing?: number
  readonly target?: LinkTarget | undefined
  /** They stand in lines that break by themselves. */
  readonly mayBreak?: boolean
}

/** How letters look, in the order of the schema (CT_TextCharacterProperties). */
export function lookXml(name: string, { style, spacing = 0, target, mayBreak = false }: Look, space: SlideSpace): string {
  const { latin, eastAsia } = officeFont(style.font)
  const attributes = {
    lang: 'zh-CN',
    altLang: 'en-US',
    sz: Math.max(100, Math.min(400_000, hundredths(style.size * space.scale))),
    b: style.isBold ? 1 : 0,
    i: style.isItalic ? 1 : undefined,
    u: style.isUnderlined ? 'sng' : undefined,
    strike: style.isStruck ? 'sngStrike' : undefined,
    spc: spacingValue(spacing * space.scale, mayBreak),
    baseline: style.script === undefined ? undefined : style.script === 'super' ? 30_000 : -25_000,
    dirty: 0,
  }
  return element(
    name,
    attributes,
    inkOf(style),
    style.highlight === undefined ? undefined : element('a:highlight', {}, element('a:srgbClr', { val: officeColour(style.highlight) })),
    element('a:latin', { typeface: latin }),
    element('a:ea', { typeface: eastAsia }),
    element('a:cs', { typeface: latin }),
    linkXml(target, space),
  )
}
