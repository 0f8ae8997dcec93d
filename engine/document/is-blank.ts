import type { PageLayout } from './document-model.ts'

/** Whether a page has no text at all, as one of a scan. */
export const isBlank = ({ header, footer, sections, floating }: PageLayout): boolean =>
  [...header, ...footer, ...sections.flatMap(({ columns }) => columns.flatMap(({ blocks }) => blocks))].every(
    ({ kind }) => kind === 'picture',
  ) && floating.length === 0
