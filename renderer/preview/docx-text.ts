import type { DocxParagraph, Inline, TabStop, TextLook } from './docx-model.ts'
import { EMU_TO_POINTS } from './units.ts'
import { at, elements, numberOf, textIn, type XmlElement } from './xml.ts'

/** Word counts in twentieths of a point. */
export const points = (element: XmlElement | undefined, name: string): number => (numberOf(element, name) ?? 0) / 20

const isOn = (properties: XmlElement | undefined, name: string): boolean => {
  const element = at(properties, name)
  return element !== undefined && !['0', 'false', 'none'].includes(element.attributes['w:val'] ?? '')
}

const colourOf = (value: string | undefined): string | undefined =>
  value !== undefined && /^[0-9a-f]{6}$/i.test(value) ? `#${value}` : undefined

/** The colour behind what has these properties. */
export const fillOf = (properties: XmlElement | undefined): string | undefined => colourOf(at(properties, 'w:shd')?.attributes['w:fill'])

function lookOf(run: XmlElement): TextLook {
  const properties = at(run, 'w:rPr')
  const { 'w:ascii': latin, 'w:eastAsia': chinese } = at(properties, 'w:rFonts')?.attributes ?? {}
  const script = at(properties, 'w:vertAlign')?.attributes['w:val']
  const isNoteMark = script === undefined && at(properties, 'w:rStyle')?.attributes['w:val'] === 'FootnoteReference'
  return {
    fonts: [latin, chinese].filter((one) => one !== undefined),
    size: (numberOf(at(properties, 'w:sz'), 'w:val') ?? 21) / 2,
    isBold: isOn(properties, 'w:b'),
    isItalic: isOn(properties, 'w:i'),
    isUnderlined: isOn(properties, 'w:u'),
    isStruck: isOn(properties, 'w:strike'),
    colour: colourOf(at(properties, 'w:color')?.attributes['w:val']),
    fill: fillOf(properties),
    script: script === 'superscript' || isNoteMark ? 'super' : script === 'subscript' ? 'sub' : undefined,
    spacing: points(at(properties, 'w:spacing'), 'w:val'),
  }
}

/** What a reader of paragraphs tells whoever lays them on pages. */
export interface Told {
  readonly mark: (id: string, level: number) => string | undefined
  readonly picture: (id: string) => string | undefined
  readonly float: (anchor: XmlElement) => void
  readonly pageBreak: () => void
  /** The mark that Word writes where a note is called, and before the note. */
  readonly noteCall: (id: string, isOwnMark: boolean) => string
  readonly noteMark: () => string
}

/** A picture in a line. */
function inlinePicture(drawing: XmlElement, { picture }: Told): readonly Inline[] {
  const inline = at(drawing, 'wp:inline')
  const path = picture(at(inline, 'a:graphic', 'a:graphicData', 'pic:pic', 'pic:blipFill', 'a:blip')?.attributes['r:embed'] ?? '')
  const extent = at(inline, 'wp:extent')
  if (path === undefined) return []
  return [
    { kind: 'picture', path, width: (numberOf(extent, 'cx') ?? 0) * EMU_TO_POINTS, height: (numberOf(extent, 'cy') ?? 0) * EMU_TO_POINTS },
  ]
}

function drawn(drawing: XmlElement, told: Told): readonly Inline[] {
  const anchor = at(drawing, 'wp:anchor')
  if (!anchor) return inlinePicture(drawing, told)
  told.float(anchor)
  return []
}

function runInlines(run: XmlElement, told: Told): readonly Inline[] {
  const look = lookOf(run)
  return elements(run).flatMap((one): readonly Inline[] => {
    switch (one.name) {
      case 'w:t':
        return [{ kind: 'text', text: textIn(one), look }]
      case 'w:footnoteReference':
        return [{ kind: 'text', text: told.noteCall(one.attributes['w:id'] ?? '', one.attributes['w:customMarkFollows'] === '1'), look }]
      case 'w:footnoteRef':
        return [{ kind: 'text', text: told.noteMark(), look }]
      case 'w:tab':
        return [{ kind: 'tab' }]
      case 'w:br':
        if (one.attributes['w:type'] === 'page') told.pageBreak()
        return one.attributes['w:type'] === undefined ? [{ kind: 'break' }] : []
      case 'w:drawing':
        return drawn(one, told)
      case 'mc:AlternateContent':
        return elements(at(one, 'mc:Choice') ?? one, 'w:drawing').flatMap((drawing) => drawn(drawing, told))
      default:
        return []
    }
  })
}

/** What stands in a paragraph's lines; the field of a page's number is counted by whoever shows it. */
function inlinesOf(paragraph: XmlElement, told: Told): readonly Inline[] {
  return elements(paragraph).flatMap((one): readonly Inline[] => {
    switch (one.name) {
      case 'w:r':
        return runInlines(one, told)
      case 'w:fldSimple': {
        const [run] = elements(one, 'w:r')
        const isPage = /\bPAGE\b/.test(one.attributes['w:instr'] ?? '')
        return isPage && run ? [{ kind: 'page-number', look: lookOf(run) }] : inlinesOf(one, told)
      }
      case 'w:hyperlink':
      case 'w:ins':
      case 'w:smartTag':
        return inlinesOf(one, told)
      default:
        return []
    }
  })
}

const aligns: Readonly<Record<string, DocxParagraph['align']>> = {
  center: 'center',
  right: 'right',
  end: 'right',
  both: 'justify',
  distribute: 'justify',
}

function stopsOf(tabs: XmlElement | undefined): readonly TabStop[] {
  return (tabs ? elements(tabs, 'w:tab') : []).map((tab) => {
    const { 'w:val': align, 'w:leader': leader } = tab.attributes
    return {
      at: points(tab, 'w:pos'),
      align: align === 'right' || align === 'end' ? 'right' : align === 'center' ? 'center' : 'left',
      hasDots: leader !== undefined && leader !== 'none',
    }
  })
}

/** A paragraph as it is shown. */
export function paragraphOf(paragraph: XmlElement, told: Told): DocxParagraph {
  const properties = at(paragraph, 'w:pPr')
  const [spacing, indent, list] = [at(properties, 'w:spacing'), at(properties, 'w:ind'), at(properties, 'w:numPr')]
  const level = /^Heading(\d)$/.exec(at(properties, 'w:pStyle')?.attributes['w:val'] ?? '')?.[1]
  const isExact = ['exact', 'atLeast'].includes(spacing?.attributes['w:lineRule'] ?? '')
  const breaks = elements(paragraph, 'w:r').flatMap((run) => elements(run, 'w:br'))
  return {
    kind: 'paragraph',
    level: level === undefined ? undefined : Number(level),
    align: aligns[at(properties, 'w:jc')?.attributes['w:val'] ?? ''] ?? 'left',
    before: points(spacing, 'w:before'),
    after: points(spacing, 'w:after'),
    line: isExact ? points(spacing, 'w:line') : undefined,
    left: points(indent, 'w:left'),
    right: points(indent, 'w:right'),
    first: points(indent, 'w:firstLine') - points(indent, 'w:hanging'),
    mark: list && told.mark(at(list, 'w:numId')?.attributes['w:val'] ?? '', numberOf(at(list, 'w:ilvl'), 'w:val') ?? 0),
    stops: stopsOf(at(properties, 'w:tabs')),
    inlines: inlinesOf(paragraph, told),
    beginsColumn: breaks.some(({ attributes }) => attributes['w:type'] === 'column'),
  }
}
