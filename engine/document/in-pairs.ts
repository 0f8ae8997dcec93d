import type { PageLayout } from './document-model.ts'

/** Pages each of which was seen beside the next one, and both changed by that; one page is read ahead. */
export async function* inPairs(
  pages: AsyncIterable<PageLayout>,
  beside: (page: PageLayout, next: PageLayout) => readonly [PageLayout, PageLayout],
): AsyncGenerator<PageLayout> {
  let held: PageLayout | undefined
  for await (const page of pages) {
    if (!held) {
      held = page
      continue
    }
    const [first, next] = beside(held, page)
    yield first
    held = next
  }
  if (held) yield held
}
