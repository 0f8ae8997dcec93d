import type { SlideSpace } from './slide-space.ts'
import { officeFont } from '../fonts.ts'
import { isWide, textWidth } from '../text-width.ts'
import { officeColour } from '../units.ts'
import { element, escapedText } from '../xml.ts'
import type { Line, LinkTarget, Paragraph, Run, TabStop, TextStyle } from '#engine/document/document-model'

/** What may be opened from a presentation that somebody else wrote. */
const OPENABLE = /^(https?|mailto|ftp):/i
/** How far letters may be moved together and apart, in sizes. */
const [CLOSEST, WIDEST] = [-0.3, 1.5]
const HYPERLINK_COLOUR = 'http://schemas.microsoft.com/office/drawing/2018/hyperlinkcolor'

const hundredths = (points: number): number => Math.round(points * 100)

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

const solid = (colour: string): string => element('a:solidFill', {}, element('a:srgbClr', { val: officeColour(colour) }))

/** How letters look, in the order of the schema (CT_TextCharacterProperties). */
function lookXml(name: string, style: TextStyle, spacing: number, target: LinkTarget | undefined, space: SlideSpace): string {
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
    solid(style.colour),
    style.highlight === undefined ? undefined : element('a:highlight', {}, element('a:srgbClr', { val: officeColour(style.highlight) })),
    element('a:latin', { typeface: latin }),
    element('a:ea', { typeface: eastAsia }),
    element('a:cs', { typeface: latin }),
    linkXml(target, space),
  )
}

/** What is added behind each letter, so that a run is as wide as it was on the page. */
function spacingOf({ text, style, width }: Run): number {
  const count = [...text].length
  if (count === 0 || width <= 0 || style.script !== undefined || text.includes('\t')) return 0
  const natural = textWidth(text, { latin: officeFont(style.font).latin, isBold: style.isBold, isItalic: style.isItalic }, style.size)
  return Math.max(CLOSEST * style.size, Math.min(WIDEST * style.size, (width - natural) / count))
}

const runXml = (run: Run, space: SlideSpace, text = run.text): string =>
  text === ''
    ? ''
    : element('a:r', {}, lookXml('a:rPr', run.style, spacingOf(run), run.target, space), element('a:t', {}, escapedText(text)))

/** Runs that follow one another and look alike are set alike, too: then words stay whole where people edit them. */
function joinedRuns(runs: readonly Run[]): Run[] {
  const kept: Run[] = []
  for (const run of runs) {
    const last = kept.at(-1)
    if (last && last.style === run.style && last.target === run.target && !run.text.includes('\t') && !last.text.includes('\t'))
      kept[kept.length - 1] = { ...last, text: last.text + run.text, width: last.width + run.width }
    else kept.push(run)
  }
  return kept
}

const LEADER_WIDTHS = { '.': 0.25, '-': 0.33, _: 0.5 } as const

/** A slide's tabs have no dots: they stand there as characters. */
function leaderText({ leader, at }: TabStop, from: number, behind: number, size: number): string {
  if (leader === undefined) return ''
  const room = at - behind - from - size
  return leader.repeat(Math.max(0, Math.floor(room / (LEADER_WIDTHS[leader] * size))))
}

/** A line's runs, its tabs with what fills them. */
function lineXml(line: Line, { stops }: Paragraph, space: SlideSpace): string {
  let [place, tab] = [line.left, 0]
  return joinedRuns(line.runs)
    .map((run) => {
      place += run.width
      if (!run.text.includes('\t')) return runXml(run, space)
      const stop = stops[tab]
      tab += 1
      const behind = stop?.align === 'right' ? line.right - place : 0
      const leader = stop ? leaderText(stop, place - run.width, behind, run.style.size) : ''
      return runXml({ ...run, width: 0 }, space, run.text.replace('\t', `${leader}\t`))
    })
    .join('')
}

const ALIGN = { left: 'l', centre: 'ctr', right: 'r', justify: 'l' } as const
const TAB_ALIGN = { left: 'l', centre: 'ctr', right: 'r', decimal: 'dec' } as const

/** A list's mark, in its hanging indent. */
const markXml = ({ list }: Paragraph, space: SlideSpace): string =>
  list ? element('a:r', {}, lookXml('a:rPr', list.style, 0, undefined, space), element('a:t', {}, `${escapedText(list.text)}\t`)) : ''

/** Where a paragraph's letters begin at the left, its list mark included. */
export const leftEnd = ({ lines, list }: Paragraph): number => Math.min(...lines.map(({ left }) => left), ...(list ? [list.left] : []))

/** The height a line is given: from baseline to baseline, and enough for its letters where it stands alone. */
export const lineHeight = ({ pitch, lines, runs }: Paragraph): number => {
  const size = Math.max(1, ...runs.map(({ style }) => style.size))
  return lines.length > 1 ? pitch : 1.2 * size
}

/** How far below the baseline the letters of a line's fonts go, in sizes: what a program leaves there of a line's height. */
export function descentOf(runs: readonly Run[]): number {
  const isWideText = runs.some(({ text }) => [...text].some(isWide))
  return isWideText ? 0.288 : 0.215
}

/**
 * A paragraph (`a:p`) whose lines stay lines: programs set other fonts than the PDF's, and would end them elsewhere. `left` is where its text may begin.
 */
export function paragraphXml(paragraph: Paragraph, left: number, space: SlideSpace): string {
  const { lines, align, list, stops } = paragraph
  const first = lines[0].left
  const others = lines[1]?.left ?? first
  // Aligned to another side, a line's own left end says nothing.
  const isLeft = align === 'left' || align === 'justify'
  const marL = isLeft ? space.length(Math.max(0, (list ? first : others) - left)) : 0
  const indent = isLeft ? space.length((list ? list.left : first) - left) - marL : 0
  const tabs = stops.map(({ at, align: side }) => element('a:tab', { pos: space.length(Math.max(0, at - left)), algn: TAB_ALIGN[side] }))
  const height = lineHeight(paragraph) * space.scale
  const properties = element(
    'a:pPr',
    { marL, indent, algn: ALIGN[align] },
    element('a:lnSpc', {}, element('a:spcPts', { val: hundredths(Math.min(1584, height)) })),
    element('a:spcBef', {}, element('a:spcPts', { val: 0 })),
    element('a:spcAft', {}, element('a:spcPts', { val: 0 })),
    element('a:buNone'),
    tabs.length > 0 ? element('a:tabLst', {}, ...tabs) : undefined,
  )
  const style = lines[0].runs[0]?.style
  const broken = element('a:br', {}, style ? lookXml('a:rPr', style, 0, undefined, space) : undefined)
  const text = lines.map((line) => lineXml(line, paragraph, space)).join(broken)
  return element('a:p', {}, properties, markXml(paragraph, space), text)
}
