import { slideXml } from './slide.ts'
import { placing } from './slide-space.ts'
import { layoutXml, masterXml, NAMES, themeXml } from './static-parts.ts'
import { createPackage, type OfficePackage, type Relations } from '../package.ts'
import { writeProperties } from '../properties.ts'
import { emu } from '../units.ts'
import { element } from '../xml.ts'
import type { PageLayout } from '#engine/document/document-model'
import type { PageModel } from '#engine/pdf/page-model'
import type { Size } from '#shared/resize'

const TYPE = 'application/vnd.openxmlformats-officedocument.presentationml'
const MASTER = 'ppt/slideMasters/slideMaster1.xml'
const LAYOUT = 'ppt/slideLayouts/slideLayout1.xml'
const THEME = 'ppt/theme/theme1.xml'
/** PowerPoint's own limits of a slide's sides, in points. */
const [SHORTEST, LONGEST] = [72, 4032]
/** Slides are numbered from here. */
const FIRST_SLIDE = 256

/** What a presentation is begun with. */
export interface Begun {
  /** The size of its pages; pages of another size are fitted into the first's. */
  readonly size: Size
  /** The PDF's pages that become slides, in their order. */
  readonly numbers: readonly number[]
}

/** A presentation on its way to disk. */
export interface Presentation {
  readonly add: (layout: PageLayout, page: PageModel) => void
  /** Ends the file and answers how many bytes it has. */
  readonly close: (about: { readonly title?: string | undefined; readonly madeAt: Date }) => number
}

function writePart(office: OfficePackage, path: string, type: string, xml: (relations: Relations) => string): void {
  const part = office.part(path, type)
  part.write(xml(part.relations))
  part.end()
}

function writeStatic(office: OfficePackage): void {
  writePart(office, THEME, 'application/vnd.openxmlformats-officedocument.theme+xml', () => themeXml)
  writePart(office, LAYOUT, `${TYPE}.slideLayout+xml`, (relations) => {
    relations.part('slideMaster', MASTER)
    return layoutXml
  })
  writePart(office, MASTER, `${TYPE}.slideMaster+xml`, (relations) => {
    const id = relations.part('slideLayout', LAYOUT)
    relations.part('theme', THEME)
    return masterXml(id)
  })
}

/** A slide's size within PowerPoint's limits. */
function slideSize({ width, height }: Size): Size {
  const scale = Math.min(LONGEST / Math.max(width, height), Math.max(1, SHORTEST / Math.min(width, height)))
  const fit = (side: number): number => Math.max(SHORTEST, Math.min(LONGEST, side * scale))
  return { width: fit(width), height: fit(height) }
}

/** Begins a presentation (PresentationML, ISO/IEC 29500-1) in a file of its own. */
export function createPresentation(path: string, { size, numbers }: Begun): Presentation {
  const office = createPackage(path)
  const slide = slideSize(size)
  const paths = new Map(numbers.map((number, at) => [number, `ppt/slides/slide${at + 1}.xml`]))
  writeStatic(office)
  return {
    add(layout, page) {
      const slidePath = paths.get(layout.number)
      if (slidePath === undefined) return
      let id = 1
      const nextId = (): number => (id += 1)
      writePart(office, slidePath, `${TYPE}.slide+xml`, (relations) => {
        relations.part('slideLayout', LAYOUT)
        const space = { office, relations, nextId, slideOf: (number: number) => paths.get(number), ...placing(layout, slide) }
        return element('p:sld', NAMES, slideXml(layout, page, space), element('p:clrMapOvr', {}, element('a:masterClrMapping')))
      })
    },
    close(about) {
      const main = 'ppt/presentation.xml'
      writePart(office, main, `${TYPE}.presentation.main+xml`, (relations) => {
        const master = relations.part('slideMaster', MASTER)
        const slides = [...paths.values()].map((one, at) =>
          element('p:sldId', { id: FIRST_SLIDE + at, 'r:id': relations.part('slide', one) }),
        )
        relations.part('theme', THEME)
        return element(
          'p:presentation',
          { ...NAMES, saveSubsetFonts: 1 },
          element('p:sldMasterIdLst', {}, element('p:sldMasterId', { id: 2_147_483_648, 'r:id': master })),
          element('p:sldIdLst', {}, ...slides),
          element('p:sldSz', { cx: emu(slide.width), cy: emu(slide.height) }),
          element('p:notesSz', { cx: 6_858_000, cy: 9_144_000 }),
        )
      })
      office.relations.part('officeDocument', main)
      writeProperties(office, about)
      return office.close()
    },
  }
}
