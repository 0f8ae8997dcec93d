import type { SlideSpace } from './slide-space.ts'
import { officeFont } from '../fonts.ts'
import { officeColour } from '../units.ts'
import { element } from '../xml.ts'
import type { LinkTarget, TextStyle } from '#engine/document/document-model'

/** What may be opened from a presentation that somebody else wrote. */
const OPENABLE = /^(https?|mailto|ftp):/i
const HYPERLINK_COLOUR = 'http://schemas.microsoft.com/office/drawing/2018/hyperlinkcolor'

/** Points in hundredths, the unit of sizes in DrawingML. */
export const hundredths = (points: number): number => Math.round(points * 100)

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

/** How letters look, in the order of the schema (CT_TextCharacterProperties). */
export function lookXml(name: string, style: TextStyle, spacing: number, target: LinkTarget | undefined, space: SlideSpace): string {
  const { latin, eastAsia } = officeFont(style.font)
  const attributes = {
    lang: 'zh-CN',
    altLang: 'en-US',
    sz: Math.max(100, Math.min(400_000, hundredths(style.size * space.scale))),
    b: style.isBold ? 1 : 0,
    i: style.isItalic ? 1 : undefined,
    u: style.isUnderlined ? 'sng' : undefined,
    strike: style.isStruck ? 'sngStrike' : undefined,
    spc: hundredths(spacing * space.scale) || undefined,
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
