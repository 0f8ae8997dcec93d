import type { DocumentModel, OutlineEntry, PageLayout } from './document-model.ts'
import { layoutPage } from './layout-page.ts'
import type { PageModel } from '../pdf/page-model.ts'

/** What a file says of itself. */
export interface About {
  readonly title?: string
  readonly outline?: readonly OutlineEntry[]
}

/** Pages as they read, one after the other; no page as it was read is kept. */
export async function* layoutPages(pages: AsyncIterable<PageModel> | Iterable<PageModel>): AsyncGenerator<PageLayout> {
  for await (const page of pages) yield layoutPage(page)
}

/** A document as it reads. */
export async function layoutDocument(
  pages: AsyncIterable<PageModel> | Iterable<PageModel>,
  { title, outline = [] }: About = {},
): Promise<DocumentModel> {
  const layouts: PageLayout[] = []
  for await (const layout of layoutPages(pages)) layouts.push(layout)
  return { ...(title !== undefined && { title }), pages: layouts, outline }
}
