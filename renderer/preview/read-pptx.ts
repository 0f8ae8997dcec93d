import type { OfficePackage } from './package.ts'
import { EMU_TO_POINTS } from './units.ts'
import { at, elements, numberOf, textIn, type XmlElement } from './xml.ts'

/** Letters of one look on a slide; sizes in points. */
export interface SlideRun {
  readonly text: string
  readonly size: number
  readonly isBold: boolean
  readonly isItalic: boolean
  readonly isUnderlined: boolean
  readonly colour: string | undefined
  readonly font: string | undefined
}

/** A paragraph on a slide. */
export interface SlideParagraph {
  readonly align: 'left' | 'center' | 'right' | 'justify'
  /** A number of points, or a part of what the letters need. */
  readonly line: { readonly points: number } | { readonly part: number } | undefined
  /** Free room before its lines, and before its first one beyond that. */
  readonly left: number
  readonly first: number
  /** Where text goes on after a tab. */
  readonly stop: number | undefined
  readonly runs: readonly SlideRun[]
}

/** Text and how it stands in its box. */
export interface SlideText {
  readonly paragraphs: readonly SlideParagraph[]
  readonly anchor: 'start' | 'center' | 'end'
  readonly direction: string
  readonly isWrapped: boolean
  /** Free room at its sides: top, right, bottom, left. */
  readonly inset: readonly [number, number, number, number]
}

/** A cell of a slide's table. */
export interface SlideCell {
  readonly columns: number
  readonly rows: number
  readonly fill: string | undefined
  readonly sides: readonly (string | undefined)[]
  readonly text: SlideText
}

/** Something on a slide, in points. */
export interface SlideThing {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  /** Degrees clockwise. */
  readonly turn: number
  readonly fill: string | undefined
  readonly line: string | undefined
  readonly content:
    | { readonly text: SlideText }
    | { readonly path: string }
    | { readonly widths: readonly number[]; readonly rows: readonly { readonly height: number; readonly cells: readonly SlideCell[] }[] }
}

/** The slides of a presentation, all of one size. */
export interface Slides {
  readonly width: number
  readonly height: number
  readonly slides: readonly (readonly SlideThing[])[]
  readonly count: number
}

const emu = (element: XmlElement | undefined, name: string, otherwise = 0): number =>
  (numberOf(element, name) ?? otherwise / EMU_TO_POINTS) * EMU_TO_POINTS

const colourOf = (properties: XmlElement | undefined): string | undefined => {
  const value = at(properties, 'a:solidFill', 'a:srgbClr')?.attributes['val']
  return value !== undefined && /^[0-9a-f]{6}$/i.test(value) ? `#${value}` : undefined
}

function runOf(run: XmlElement): SlideRun {
  const properties = at(run, 'a:rPr')
  const { sz, b, i, u } = properties?.attributes ?? {}
  const text = at(run, 'a:t')
  return {
    text: run.name === 'a:br' ? '\n' : text ? textIn(text) : '',
    size: Number(sz ?? 1800) / 100,
    isBold: b === '1',
    isItalic: i === '1',
    isUnderlined: u !== undefined && u !== 'none',
    colour: colourOf(properties),
    font: at(properties, 'a:ea')?.attributes['typeface'] ?? at(properties, 'a:latin')?.attributes['typeface'],
  }
}

const aligns: Readonly<Record<string, SlideParagraph['align']>> = { ctr: 'center', r: 'right', just: 'justify', dist: 'justify' }

function paragraphOf(paragraph: XmlElement): SlideParagraph {
  const properties = at(paragraph, 'a:pPr')
  const [spacing, stop] = [at(properties, 'a:lnSpc'), at(properties, 'a:tabLst', 'a:tab')]
  const [exact, part] = [numberOf(at(spacing, 'a:spcPts'), 'val'), numberOf(at(spacing, 'a:spcPct'), 'val')]
  return {
    align: aligns[properties?.attributes['algn'] ?? ''] ?? 'left',
    line: exact !== undefined ? { points: exact / 100 } : part !== undefined ? { part: part / 100_000 } : undefined,
    left: emu(properties, 'marL'),
    first: emu(properties, 'indent'),
    stop: stop && emu(stop, 'pos'),
    runs: elements(paragraph)
      .filter(({ name }) => name === 'a:r' || name === 'a:br' || name === 'a:fld')
      .map(runOf),
  }
}

const anchors: Readonly<Record<string, SlideText['anchor']>> = { ctr: 'center', b: 'end' }

function textOf(body: XmlElement | undefined, own?: XmlElement): SlideText {
  const properties = own ?? at(body, 'a:bodyPr')
  const names = own ? (['marT', 'marR', 'marB', 'marL'] as const) : (['tIns', 'rIns', 'bIns', 'lIns'] as const)
  const [top, right, bottom, left] = names
  return {
    paragraphs: body ? elements(body, 'a:p').map(paragraphOf) : [],
    anchor: anchors[properties?.attributes['anchor'] ?? ''] ?? 'start',
    direction: properties?.attributes['vert'] ?? 'horz',
    isWrapped: properties?.attributes['wrap'] !== 'none',
    inset: [emu(properties, top, 3.6), emu(properties, right, 7.2), emu(properties, bottom, 3.6), emu(properties, left, 7.2)],
  }
}

const sideOf = (properties: XmlElement | undefined, name: string): string | undefined => {
  const side = at(properties, name)
  if (!side || at(side, 'a:noFill')) return undefined
  return `${Math.max(0.5, emu(side, 'w', 1))}pt solid ${colourOf(side) ?? '#000000'}`
}

function tableOf(table: XmlElement): SlideThing['content'] {
  const grid = at(table, 'a:tblGrid')
  return {
    widths: grid ? elements(grid, 'a:gridCol').map((one) => emu(one, 'w')) : [],
    rows: elements(table, 'a:tr').map((row) => ({
      height: emu(row, 'h'),
      cells: elements(row, 'a:tc')
        .filter(({ attributes: { hMerge, vMerge } }) => hMerge !== '1' && vMerge !== '1')
        .map((cell) => {
          const properties = at(cell, 'a:tcPr')
          return {
            columns: numberOf(cell, 'gridSpan') ?? 1,
            rows: numberOf(cell, 'rowSpan') ?? 1,
            fill: colourOf(properties),
            sides: ['a:lnT', 'a:lnR', 'a:lnB', 'a:lnL'].map((name) => sideOf(properties, name)),
            text: textOf(at(cell, 'a:txBody'), properties),
          }
        }),
    })),
  }
}

function contentOf(one: XmlElement, pictures: ReadonlyMap<string, string>): SlideThing['content'] | undefined {
  const path = pictures.get(at(one, 'p:blipFill', 'a:blip')?.attributes['r:embed'] ?? '')
  if (path !== undefined) return { path }
  const table = at(one, 'a:graphic', 'a:graphicData', 'a:tbl')
  if (table) return tableOf(table)
  return one.name === 'p:sp' || one.name === 'p:cxnSp' ? { text: textOf(at(one, 'p:txBody')) } : undefined
}

function thingOf(one: XmlElement, pictures: ReadonlyMap<string, string>): readonly SlideThing[] {
  if (one.name === 'p:grpSp') return elements(one).flatMap((inner) => thingOf(inner, pictures))
  const shape = at(one, 'p:spPr')
  const place = at(shape, 'a:xfrm') ?? at(one, 'p:xfrm')
  const content = contentOf(one, pictures)
  if (!place || !content) return []
  const [off, ext] = [at(place, 'a:off'), at(place, 'a:ext')]
  const line = at(shape, 'a:ln')
  return [
    {
      left: emu(off, 'x'),
      top: emu(off, 'y'),
      width: emu(ext, 'cx'),
      height: emu(ext, 'cy'),
      turn: (numberOf(place, 'rot') ?? 0) / 60_000,
      fill: colourOf(shape),
      line: line && colourOf(line) ? `${Math.max(0.5, emu(line, 'w', 1))}pt solid ${colourOf(line) ?? ''}` : undefined,
      content,
    },
  ]
}

/** The slides of a presentation, as many as are asked for. */
export function readPptx(office: OfficePackage, maxSlides: number): Slides {
  const root = at(office.xml('ppt/presentation.xml'), 'p:presentation')
  const ids = at(root, 'p:sldIdLst')
  if (!root) throw new TypeError('no presentation')
  const relations = office.relations('ppt/presentation.xml')
  const paths = (ids ? elements(ids) : []).flatMap(({ attributes }) => relations.get(attributes['r:id'] ?? '') ?? [])
  const size = at(root, 'p:sldSz')
  return {
    width: emu(size, 'cx', 960),
    height: emu(size, 'cy', 540),
    count: paths.length,
    slides: paths.slice(0, maxSlides).map((path) => {
      const tree = at(office.xml(path), 'p:sld', 'p:cSld', 'p:spTree')
      const pictures = office.relations(path)
      return tree ? elements(tree).flatMap((one) => thingOf(one, pictures)) : []
    }),
  }
}
