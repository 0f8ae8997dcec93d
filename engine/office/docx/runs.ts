import type { LinkTarget } from '#engine/document/document-model'
import { isEastAsianFont } from '../fonts.ts'
import { element, escapedText } from '../xml.ts'
import type { PartContext } from './context.ts'
import { wordSpacing, type SetText } from './fit.ts'
import { styleXml } from './styles.ts'

/** Stands in a text for the number of its page, or for how many there are; the text shows what it was. */
export const PAGE_FIELD = '\ue0f0'
/** See PAGE_FIELD. */
export const PAGES_FIELD = '\ue0f1'

const SPECIAL: Readonly<Record<string, string>> = { '\t': '<w:tab/>', '\n': '<w:br/>', '\u00ad': '<w:softHyphen/>' }
const FIELDS: Readonly<Record<string, string>> = { [PAGE_FIELD]: ' PAGE ', [PAGES_FIELD]: ' NUMPAGES ' }

const contentXml = (text: string): string =>
  text
    .split(/([\t\n\u00ad])/)
    .map((piece) => (piece === '' ? '' : (SPECIAL[piece] ?? `<w:t xml:space="preserve">${escapedText(piece)}</w:t>`)))
    .join('')

const runXml = (properties: string, text: string): string => `<w:r>${properties}${contentXml(text)}</w:r>`

/** A run, its fields apart. */
const runsWithFields = (properties: string, text: string): string =>
  text
    .split(/([\ue0f0\ue0f1])/)
    .map((piece) => {
      const code = FIELDS[piece]
      if (piece === '') return ''
      return code === undefined ? runXml(properties, piece) : element('w:fldSimple', { 'w:instr': code }, runXml(properties, '1'))
    })
    .join('')

/** What may be opened from a document that somebody else wrote. */
const OPENABLE = /^(https?|mailto|ftp):/i

function linked(xml: string, target: LinkTarget | undefined, { relations, anchorOf }: PartContext): string {
  if (!target) return xml
  if ('url' in target)
    return OPENABLE.test(target.url)
      ? element('w:hyperlink', { 'r:id': relations.address('hyperlink', target.url), 'w:history': 1 }, xml)
      : xml
  const anchor = anchorOf(target)
  return anchor === undefined ? xml : element('w:hyperlink', { 'w:anchor': anchor, 'w:history': 1 }, xml)
}

const isSame = (a: LinkTarget | undefined, b: LinkTarget | undefined): boolean => a === b || JSON.stringify(a) === JSON.stringify(b)

/** A note's mark, and what stands behind it on its line's end. */
function noteRuns(place: number, text: string, properties: string, { note }: PartContext): string {
  const mark = text.trimEnd()
  return note(place, mark, properties) + (mark === text ? '' : runXml('', text.slice(mark.length)))
}

/** Texts as runs; those that look alike are one. */
export function runsXml(texts: readonly SetText[], context: PartContext): string {
  const runs: { properties: string; text: string; target: LinkTarget | undefined; note: number | undefined }[] = []
  for (const { text, style, target, note, spacing, scale } of texts) {
    if (text === '') continue
    const properties = styleXml(style, {
      spacing: wordSpacing(spacing),
      scale,
      isLink: target !== undefined,
      isNote: note !== undefined,
      isEastAsian: isEastAsianFont(style.font),
    })
    const last = runs.at(-1)
    if (last && last.properties === properties && isSame(last.target, target) && last.note === note) last.text += text
    else runs.push({ properties, text, target, note })
  }
  return runs
    .map(({ properties, text, target, note }) =>
      linked(note === undefined ? runsWithFields(properties, text) : noteRuns(note, text, properties, context), target, context),
    )
    .join('')
}
