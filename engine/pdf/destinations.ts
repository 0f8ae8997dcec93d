import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist'
import type { Box } from './box.ts'
import { inUnicode } from './font.ts'
import type { Link, LinkTarget, OutlineEntry } from './page-model.ts'

/** What a link may lead to outside of the document. */
const WEB = /^(?:https?|mailto|tel|ftp):/i
const MAX_LINKS = 5000
const MAX_ENTRIES = 10_000
const MAX_LEVEL = 9

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

/** Which of a destination's numbers is the height at which it is shown (ISO 32000-1 §12.3.2.2). */
const HEIGHT_AT = new Map([
  ['XYZ', 3],
  ['FitH', 2],
  ['FitBH', 2],
  ['FitR', 5],
])

/** The page, from 1, and how far down it a destination is; undefined for none. */
async function placeOf(pdf: PDFDocumentProxy, destination: unknown): Promise<{ page: number; top: number } | undefined> {
  try {
    const explicit: unknown = typeof destination === 'string' ? await pdf.getDestination(destination) : destination
    if (!Array.isArray(explicit)) return undefined
    const [target, kind]: unknown[] = explicit
    // What is no number is a reference, as pdf.js hands it out.
    const index = isNumber(target) ? target : await pdf.getPageIndex(target as Parameters<typeof pdf.getPageIndex>[0])
    if (!(index >= 0 && index < pdf.numPages)) return undefined
    const name: unknown = typeof kind === 'object' && kind !== null ? Reflect.get(kind, 'name') : undefined
    const height: unknown = explicit[HEIGHT_AT.get(String(name)) ?? -1]
    const view = (await pdf.getPage(index + 1)).getViewport({ scale: 1 })
    const top = isNumber(height) ? Number(view.convertToViewportPoint(0, height)[1]) : 0
    return { page: index + 1, top: Math.min(Math.max(0, top), view.height) }
  } catch {
    // A destination that isn't there leads nowhere.
    return undefined
  }
}

const boxesOf = (page: PDFPageProxy, rectangle: unknown, quads: unknown): Box[] => {
  const view = page.getViewport({ scale: 1 })
  const corners = ArrayBuffer.isView(quads) || Array.isArray(quads) ? Array.from(quads as ArrayLike<unknown>, Number) : [] // either has a length
  const areas = []
  for (let at = 0; at + 8 <= corners.length; at += 8) {
    const [xs, ys] = [0, 1].map((axis) => [0, 2, 4, 6].map((corner) => corners[at + corner + axis] ?? NaN))
    areas.push([Math.min(...(xs ?? [])), Math.min(...(ys ?? [])), Math.max(...(xs ?? [])), Math.max(...(ys ?? []))])
  }
  if (areas.length === 0 && Array.isArray(rectangle)) areas.push(rectangle.map(Number))
  return areas.flatMap((area) => {
    const [x0 = NaN, y0 = NaN, x1 = NaN, y1 = NaN] = view.convertToViewportRectangle(area).map(Number)
    const box = { left: Math.min(x0, x1), top: Math.min(y0, y1), right: Math.max(x0, x1), bottom: Math.max(y0, y1) }
    return box.right > box.left && box.bottom > box.top ? [box] : []
  })
}

async function targetOf(pdf: PDFDocumentProxy, annotation: object): Promise<LinkTarget | undefined> {
  const url: unknown = Reflect.get(annotation, 'url')
  if (typeof url === 'string') return WEB.test(url) ? { url } : undefined
  return placeOf(pdf, Reflect.get(annotation, 'dest'))
}

/** A page's links to the web and to pages of the same document. Scripts, programs and other files are never among them. */
export async function linksOf(pdf: PDFDocumentProxy, page: PDFPageProxy): Promise<readonly Link[]> {
  const annotations: unknown[] = await page.getAnnotations()
  const links: Link[] = []
  for (const annotation of annotations.slice(0, MAX_LINKS)) {
    if (typeof annotation !== 'object' || annotation === null || Reflect.get(annotation, 'subtype') !== 'Link') continue
    const target = await targetOf(pdf, annotation)
    const boxes = boxesOf(page, Reflect.get(annotation, 'rect'), Reflect.get(annotation, 'quadPoints'))
    if (target) links.push(...boxes.map((box) => ({ ...box, target })))
  }
  return links
}

/** A document's outline in the order in which it is listed; entries that lead nowhere in it are left out. */
export async function outlineOf(pdf: PDFDocumentProxy): Promise<readonly OutlineEntry[]> {
  const entries: OutlineEntry[] = []
  const add = async (items: Awaited<ReturnType<typeof pdf.getOutline>>, level: number): Promise<void> => {
    for (const { title, dest, items: inner } of items ?? []) {
      if (entries.length >= MAX_ENTRIES) return
      const place = await placeOf(pdf, dest)
      const text = inUnicode(title).replace(/\s+/g, ' ').trim()
      if (place && text !== '') entries.push({ title: text, ...place, level })
      if (level < MAX_LEVEL) await add(inner as typeof items, level + 1) // the same kind of list, typed `any[]`
    }
  }
  await add(await pdf.getOutline().catch(() => []), 1)
  return entries
}

/** What a document calls itself; undefined where it has no name, or that of a file as programs put it there. */
export async function titleOf(pdf: PDFDocumentProxy): Promise<string | undefined> {
  const known = await pdf.getMetadata().catch(() => undefined)
  const title: unknown = known && Reflect.get(known.info, 'Title')
  const name =
    typeof title === 'string'
      ? inUnicode(title)
          .replace(/\p{Cc}/gu, ' ')
          .trim()
      : ''
  return name === '' || /^(?:untitled|无标题|未命名)$|\.(?:docx?|xlsx?|pptx?|wps|et|dps|indd|qxp|tmp)$/i.test(name) ? undefined : name
}
