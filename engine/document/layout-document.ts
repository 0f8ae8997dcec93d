import { withContinuedTables } from './continued-tables.ts'
import type { DocumentModel, OutlineEntry, PageLayout } from './document-model.ts'
import { BodySize, withHeadings } from './headings.ts'
import { arrangedPage, pageEdges, preparedPage, type PreparedPage } from './layout-page.ts'
import { withSettledNotes } from './notes/settled-notes.ts'
import { runningHeads, type Edges } from './running-heads.ts'
import type { PageModel } from '../pdf/page-model.ts'

/** What a file says of itself. */
export interface About {
  readonly title?: string
  readonly outline?: readonly OutlineEntry[]
}

/** Headers and footers are known by so many pages before and behind. */
const NEAR = 2

interface Waiting {
  readonly page: PreparedPage
  readonly edges: Edges
}

/** Pages as each of them reads, with what those near by tell of it. */
async function* singlePages(pages: AsyncIterable<PageModel> | Iterable<PageModel>, { outline = [] }: About): AsyncGenerator<PageLayout> {
  const waiting: Waiting[] = []
  const known: Edges[] = []
  const body = new BodySize()
  const next = (): PageLayout | undefined => {
    const first = waiting.shift()
    if (!first) return undefined
    const others = known.filter((edges) => edges !== first.edges && Math.abs(edges.page - first.edges.page) <= NEAR)
    const layout = arrangedPage(first.page, runningHeads(first.edges, others))
    body.add(layout)
    return withHeadings(layout, outline, body.points)
  }
  for await (const model of pages) {
    const page = preparedPage(model)
    const edges = pageEdges(page)
    waiting.push({ page, edges })
    known.push(edges)
    if (known.length > 2 * NEAR + 1) known.shift()
    if (waiting.length > NEAR) {
      const layout = next()
      if (layout) yield layout
    }
  }
  for (let layout = next(); layout; layout = next()) yield layout
}

/** Pages as they read, one after the other; a few are read ahead, none is kept. */
export const layoutPages = (pages: AsyncIterable<PageModel> | Iterable<PageModel>, about: About = {}): AsyncGenerator<PageLayout> =>
  withSettledNotes(withContinuedTables(singlePages(pages, about)))

/** A document as it reads. */
export async function layoutDocument(pages: AsyncIterable<PageModel> | Iterable<PageModel>, about: About = {}): Promise<DocumentModel> {
  const { title, outline = [] } = about
  const layouts: PageLayout[] = []
  for await (const layout of layoutPages(pages, about)) layouts.push(layout)
  return { ...(title !== undefined && { title }), pages: layouts, outline }
}
