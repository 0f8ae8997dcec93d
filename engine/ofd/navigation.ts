import { element } from '../office/xml.ts'
import type { Link, LinkTarget, OutlineEntry } from '../pdf/page-model.ts'
import { boxOf } from './path-xml.ts'
import { inMm, list, written } from './units.ts'

/** A page's id by its number in the source; undefined for one that is not in the package. */
export type PageIds = ReadonlyMap<number, number>

const click = (action: string): string => element('ofd:Actions', {}, element('ofd:Action', { Event: 'CLICK' }, action))

/** What a click does, or undefined where it leads to a page that is not there. */
function actionsXml(target: LinkTarget, pages: PageIds): string | undefined {
  if ('url' in target) return click(element('ofd:URI', { URI: target.url }))
  const page = pages.get(target.page)
  if (page === undefined) return undefined
  const place = element('ofd:Dest', { Type: 'XYZ', PageID: page, Left: 0, Top: written(inMm(target.top)), Zoom: 0 })
  return click(element('ofd:Goto', {}, place))
}

/** What an author's note needs beside its look. */
interface NoteFacts {
  readonly creator: string
  readonly date: string
}

/** A page's links as its annotations; undefined where there are none. */
export function linksXml(links: readonly Link[], pages: PageIds, { creator, date }: NoteFacts, nextId: () => number): string | undefined {
  const notes = links.flatMap(({ left, top, right, bottom, target }) => {
    const actions = actionsXml(target, pages)
    if (actions === undefined || !(right > left && bottom > top)) return []
    const [width, height] = [right - left, bottom - top].map((side) => written(inMm(side)))
    const area = element(
      'ofd:PathObject',
      { ID: nextId(), Boundary: list(0, 0, inMm(right - left), inMm(bottom - top)), Stroke: 'false', Fill: 'true' },
      actions,
      element('ofd:FillColor', { Value: '255 255 255', Alpha: 0 }),
      element('ofd:AbbreviatedData', {}, `M 0 0 L ${width} 0 L ${width} ${height} L 0 ${height} C`),
    )
    const look = element('ofd:Appearance', { Boundary: boxOf([left, top, right, bottom]) }, area)
    return [element('ofd:Annot', { ID: nextId(), Type: 'Link', Creator: creator, LastModDate: date }, look)]
  })
  return notes.length > 0 ? notes.join('') : undefined
}

/** A document's bookmarks, one within the other by their levels; undefined where none leads to a page of the package. */
export function outlineXml(entries: readonly OutlineEntry[], pages: PageIds): string | undefined {
  const kept = entries.filter(({ page }) => pages.has(page))
  let at = 0
  const below = (level: number): string => {
    let xml = ''
    for (let entry = kept[at]; entry && entry.level > level; entry = kept[at]) {
      at += 1
      xml += element('ofd:OutlineElem', { Title: entry.title }, actionsXml(entry, pages), below(entry.level))
    }
    return xml
  }
  const all = below(0)
  return all === '' ? undefined : element('ofd:Outlines', {}, all)
}
