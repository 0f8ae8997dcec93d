import { element } from '../office/xml.ts'
import type { PageModel } from '../pdf/page-model.ts'
import type { Painted, PaintedText } from '../pdf/painted.ts'
import type { FontResources } from './font-resources.ts'
import type { MediaResources } from './media-resources.ts'
import { pathXml } from './path-xml.ts'
import { textRuns } from './text-runs.ts'
import { textXml } from './text-xml.ts'
import { inMm, list, OFD } from './units.ts'

/** What objects of a page refer to. */
export interface Resources {
  readonly fonts: FontResources
  readonly media: MediaResources
  readonly nextId: () => number
}

/** A page's sides as a box. */
export const pageBox = ({ width, height }: Pick<PageModel, 'width' | 'height'>): string =>
  element('ofd:PhysicalBox', {}, list(0, 0, inMm(width), inMm(height)))

const isHidden = (one: Painted): one is PaintedText => one.kind === 'text' && !one.fill && !one.stroke

/** A page's objects, in the order in which they are painted. */
function* objects(painted: readonly Painted[], { fonts, media, nextId }: Resources): Generator<string | undefined> {
  let waiting: PaintedText[] = []
  const texts = (): (string | undefined)[] => {
    const runs = textRuns(waiting)
    waiting = []
    return runs.map((run) => {
      const font = fonts.idOf(run.font, run.program)
      fonts.use(font, run.glyphs)
      return textXml(run, font, nextId)
    })
  }
  for (const one of painted) {
    if (one.kind === 'text') {
      waiting.push(one)
      continue
    }
    yield* texts()
    yield one.kind === 'path' ? pathXml(one, nextId) : media.object(one)
  }
  yield* texts()
}

/** A page as it stands in its own file, piece by piece. What is there to be found only lies below all else, so that no reader shows it. */
export function* pageXml(page: PageModel, resources: Resources): Generator<string> {
  const painted = page.painted ?? []
  yield `<ofd:Page xmlns:ofd="${OFD['xmlns:ofd']}">${element('ofd:Area', {}, pageBox(page))}`
  yield `<ofd:Content><ofd:Layer ID="${resources.nextId()}" Type="Body">`
  for (const part of [painted.filter(isHidden), painted.filter((one) => !isHidden(one))])
    for (const xml of objects(part, resources)) if (xml !== undefined) yield xml
  yield '</ofd:Layer></ofd:Content></ofd:Page>'
}
