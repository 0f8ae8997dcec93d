import { resolved, type OfficePackage } from './package.ts'
import { at, every, textIn, type XmlElement } from './xml.ts'

/** Something on a page, in millimetres; `matrix` takes its own coordinates to the page's, as SVG writes it. */
export type OfdThing = { readonly matrix: string } & (
  | {
      readonly kind: 'text'
      readonly text: string
      readonly size: number
      readonly font: string
      readonly colour: string
      readonly xs: readonly number[]
      readonly ys: readonly number[]
      readonly isBold: boolean
    }
  | {
      readonly kind: 'path'
      readonly data: string
      readonly fill: string | undefined
      readonly stroke: string | undefined
      readonly width: number
      readonly isEvenOdd: boolean
    }
  | { readonly kind: 'picture'; readonly path: string }
)

/** A page of an OFD, in millimetres. */
export interface OfdPage {
  readonly width: number
  readonly height: number
  readonly things: readonly OfdThing[]
}

const numbers = (text: string | undefined): readonly number[] => (text ?? '').split(/\s+/).filter(Boolean).map(Number)

function colourOf(element: XmlElement | undefined): string | undefined {
  if (!element) return undefined
  const [red = 0, green = 0, blue = 0] = numbers(element.attributes['Value'])
  return `rgb(${red} ${green} ${blue} / ${Number(element.attributes['Alpha'] ?? 255) / 255})`
}

/** Where characters stand: each so much after the last; `g 3 4.2` says 4.2 three times. */
function places(start: number, deltas: string | undefined, count: number): readonly number[] {
  const words = (deltas ?? '').split(/\s+/).filter(Boolean)
  const all = [start]
  for (let n = 0; n < words.length && all.length < count; n++) {
    const isRun = words[n] === 'g'
    const step = Number(words[isRun ? n + 2 : n])
    const times = isRun ? Number(words[n + 1]) : 1
    if (isRun) n += 2
    for (let time = 0; time < Math.min(times, count); time++) all.push((all.at(-1) ?? 0) + step)
  }
  return all
}

const letters: Readonly<Record<string, string>> = { S: 'M', M: 'M', L: 'L', Q: 'Q', B: 'C', A: 'A', C: 'Z' }

/** Path data as SVG writes it: its commands have other names. */
const svgPath = (data: string): string =>
  data
    .split(/\s+/)
    .flatMap((word) => letters[word] ?? (Number.isFinite(Number(word)) && word !== '' ? word : []))
    .join(' ')

function matrixOf({ attributes }: XmlElement): string {
  const [x = 0, y = 0] = numbers(attributes['Boundary'])
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbers(attributes['CTM'])
  return `matrix(${[a, b, c, d, e + x, f + y].join(' ')})`
}

interface Resources {
  readonly fonts: ReadonlyMap<string, { readonly name: string; readonly isBold: boolean }>
  readonly pictures: ReadonlyMap<string, string>
}

function textThings(object: XmlElement, { fonts }: Resources): readonly OfdThing[] {
  const { Size = '4', Font = '', Weight = '400', Fill, Stroke } = object.attributes
  if (Fill === 'false') return []
  const font = fonts.get(Font)
  // Drawn around as well as filled is how a PDF makes letters bold.
  const isBold = Number(Weight) >= 600 || Stroke === 'true' || font?.isBold === true
  return [...every(object, 'ofd:TextCode')].map((code): OfdThing => {
    const text = textIn(code)
    const { X = '0', Y = '0', DeltaX, DeltaY } = code.attributes
    return {
      kind: 'text',
      matrix: matrixOf(object),
      text,
      size: Number(Size),
      font: font?.name ?? '',
      colour: colourOf(at(object, 'ofd:FillColor')) ?? '#000',
      xs: places(Number(X), DeltaX, text.length),
      ys: places(Number(Y), DeltaY, text.length),
      isBold,
    }
  })
}

function thingsOf(object: XmlElement, resources: Resources): readonly OfdThing[] {
  const { attributes } = object
  const matrix = matrixOf(object)
  if (object.name === 'ofd:TextObject') return textThings(object, resources)
  if (object.name === 'ofd:ImageObject') {
    const path = resources.pictures.get(attributes['ResourceID'] ?? '')
    return path === undefined ? [] : [{ kind: 'picture', matrix, path }]
  }
  const data = at(object, 'ofd:AbbreviatedData')
  if (object.name !== 'ofd:PathObject' || !data) return []
  return [
    {
      kind: 'path',
      matrix,
      data: svgPath(textIn(data)),
      fill: attributes['Fill'] === 'true' ? (colourOf(at(object, 'ofd:FillColor')) ?? '#000') : undefined,
      stroke: attributes['Stroke'] === 'false' ? undefined : (colourOf(at(object, 'ofd:StrokeColor')) ?? '#000'),
      width: Number(attributes['LineWidth'] ?? 0.353),
      isEvenOdd: attributes['Rule'] === 'Even-Odd',
    },
  ]
}

function* objectsIn(layer: XmlElement): Generator<XmlElement> {
  for (const one of layer.children) {
    if (typeof one === 'string') continue
    if (one.name === 'ofd:PageBlock' || one.name === 'ofd:Layer') yield* objectsIn(one)
    else yield one
  }
}

/** Fonts' names and pictures' paths by their ids, of all the resources a document names. */
function resourcesOf(office: OfficePackage, documentPath: string, document: XmlElement): Resources {
  const fonts = new Map<string, { name: string; isBold: boolean }>()
  const pictures = new Map<string, string>()
  for (const named of [...every(document, 'ofd:PublicRes'), ...every(document, 'ofd:DocumentRes')]) {
    const path = resolved(documentPath, textIn(named).trim())
    const root = at(office.xml(path), 'ofd:Res')
    const base = resolved(path, `${root?.attributes['BaseLoc'] ?? '.'}/-`)
    for (const { attributes } of root ? every(root, 'ofd:Font') : [])
      fonts.set(attributes['ID'] ?? '', { name: attributes['FontName'] ?? '', isBold: attributes['Bold'] === 'true' })
    for (const media of root ? every(root, 'ofd:MultiMedia') : []) {
      const file = at(media, 'ofd:MediaFile')
      if (file) pictures.set(media.attributes['ID'] ?? '', resolved(base, textIn(file).trim()))
    }
  }
  return { fonts, pictures }
}

/** The pages of an OFD (GB/T 33190), as many as are asked for, and how many there are. Fonts are those of the reader's own system. */
export function readOfd(office: OfficePackage, maxPages: number): { readonly pages: readonly OfdPage[]; readonly count: number } {
  const root = at(office.xml('OFD.xml'), 'ofd:OFD')
  const documentPath = textIn(at(root, 'ofd:DocBody', 'ofd:DocRoot') ?? { name: '', attributes: {}, children: [] })
    .trim()
    .replace(/^\//, '')
  const document = at(office.xml(documentPath), 'ofd:Document')
  const pages = at(document, 'ofd:Pages')
  if (!document || !pages) throw new TypeError('no document')
  const resources = resourcesOf(office, documentPath, document)
  const paths = [...every(pages, 'ofd:Page')].map(({ attributes }) => resolved(documentPath, attributes['BaseLoc'] ?? ''))
  const usual = at(document, 'ofd:CommonData', 'ofd:PageArea', 'ofd:PhysicalBox')
  return {
    count: paths.length,
    pages: paths.slice(0, maxPages).map((path) => {
      const page = at(office.xml(path), 'ofd:Page')
      const box = at(page, 'ofd:Area', 'ofd:PhysicalBox') ?? usual
      const [, , width = 210, height = 297] = numbers(box && textIn(box))
      const content = at(page, 'ofd:Content')
      return { width, height, things: content ? [...objectsIn(content)].flatMap((one) => thingsOf(one, resources)) : [] }
    }),
  }
}
