import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PDFDocument, PDFName, PDFString, type PDFObject } from '@cantoo/pdf-lib'
import { expect, test } from 'vitest'
import { testFolder } from '../fixtures/engine.ts'
import { openPdf, type Pdf } from '#engine/pdf/open-pdf'

/** Entries of dictionaries, nested as they stand there; strings in parentheses are texts, others names. */
type Entry = string | number | readonly Entry[] | PDFObject | { readonly [key: string]: Entry }

const isObject = (entry: Entry): entry is PDFObject => typeof entry === 'object' && 'sizeInBytes' in entry

function objectOf(document: PDFDocument, entry: Entry): PDFObject {
  const { context } = document
  if (typeof entry === 'string') return entry.startsWith('(') ? PDFString.of(entry.slice(1, -1)) : PDFName.of(entry)
  if (typeof entry === 'number') return context.obj(entry)
  if (isObject(entry)) return entry
  if (Array.isArray(entry)) return context.obj((entry as Entry[]).map((one) => objectOf(document, one))) // Array.isArray forgets what a readonly array holds
  return context.obj(Object.fromEntries(Object.entries(entry).map(([key, value]) => [key, objectOf(document, value)])))
}

const link = (rect: readonly number[], more: Record<string, Entry>): Entry => ({ Type: 'Annot', Subtype: 'Link', Rect: rect, ...more })
const action = (kind: string, more: Record<string, Entry>): Record<string, Entry> => ({ A: { Type: 'Action', S: kind, ...more } })

/** A document of three pages, the first with these annotations, its catalogue with these entries. */
async function opened(
  draw: (
    pages: readonly PDFObject[],
    add: (entry: Entry) => PDFObject,
  ) => { annotations?: readonly Entry[]; catalogue?: Record<string, Entry> },
  use: (pdf: Pdf) => Promise<void>,
  title?: string,
): Promise<void> {
  const document = await PDFDocument.create()
  const pages = Array.from({ length: 3 }, () => document.addPage([600, 800]))
  if (title !== undefined) document.setTitle(title)
  const add = (entry: Entry): PDFObject => document.context.register(objectOf(document, entry))
  const { annotations = [], catalogue = {} } = draw(
    pages.map(({ ref }) => ref),
    add,
  )
  pages[0]?.node.set(PDFName.of('Annots'), objectOf(document, annotations))
  for (const [key, value] of Object.entries(catalogue)) document.catalog.set(PDFName.of(key), objectOf(document, value))
  await using folder = await testFolder()
  const path = join(folder.path, 'a.pdf')
  await writeFile(path, await document.save())
  const pdf = await openPdf(path, { maxPages: 10 })
  await use(pdf)
  await pdf.close()
}

test('links lead to the web and to pages of the document', async () => {
  await opened(
    ([, second, third]) => ({
      annotations: [
        link([50, 700, 150, 720], action('URI', { URI: '(https://example.com/%E5%9B%BE)' })),
        link([50, 600, 150, 620], { Dest: [second ?? '', 'XYZ', 0, 500, 0] }),
        link([50, 500, 150, 520], action('GoTo', { D: '(chapter)' })),
        link([0, 400, 300, 440], {
          ...action('URI', { URI: '(mailto:a@example.com)' }),
          QuadPoints: [200, 440, 300, 440, 200, 420, 300, 420, 0, 420, 90, 420, 0, 400, 90, 400],
        }),
      ],
      catalogue: { Dests: { chapter: [third ?? '', 'FitH', 700] } },
    }),
    async (pdf) => {
      const { links } = await pdf.page(1)
      expect(links).toEqual([
        { left: 50, top: 80, right: 150, bottom: 100, target: { url: 'https://example.com/%E5%9B%BE' } },
        { left: 50, top: 180, right: 150, bottom: 200, target: { page: 2, top: 300 } },
        { left: 50, top: 280, right: 150, bottom: 300, target: { page: 3, top: 100 } },
        { left: 200, top: 360, right: 300, bottom: 380, target: { url: 'mailto:a@example.com' } },
        { left: 0, top: 380, right: 90, bottom: 400, target: { url: 'mailto:a@example.com' } },
      ])
      expect(await pdf.page(2)).not.toHaveProperty('links')
    },
  )
})

test('no script, program, file or other document is carried over', async () => {
  await opened(
    () => ({
      annotations: [
        link([0, 0, 10, 10], action('JavaScript', { JS: '(app.alert\\(1\\))' })),
        link([0, 0, 10, 10], action('Launch', { F: '(cmd.exe)' })),
        link([0, 0, 10, 10], action('Launch', { F: '(file:///etc/passwd)' })),
        link([0, 0, 10, 10], action('GoToR', { F: '(other.pdf)', D: [0, 'Fit'] })),
        link([0, 0, 10, 10], action('GoToE', { D: [0, 'Fit'], T: { R: 'C', N: '(a)' } })),
        link([0, 0, 10, 10], action('URI', { URI: '(javascript:alert\\(1\\))' })),
        link([0, 0, 10, 10], action('SubmitForm', { F: '(https://example.com/post)' })),
        link([0, 0, 10, 10], { Dest: '(nowhere)' }),
        { Type: 'Annot', Subtype: 'FileAttachment', Rect: [0, 0, 10, 10] },
      ],
      catalogue: {
        OpenAction: { S: 'JavaScript', JS: '(app.launchURL\\("https://example.com"\\))' },
        AA: { WC: { S: 'Launch', F: '(cmd.exe)' } },
      },
    }),
    async (pdf) => {
      expect(await pdf.page(1)).not.toHaveProperty('links')
      expect(await pdf.outline()).toEqual([])
    },
  )
})

test('bookmarks come with their pages and levels, in order', async () => {
  await opened(
    ([first, second, third], add) => {
      const inner = add({ Title: '(1.1 Scope)', Dest: [second ?? '', 'XYZ', 0, 600, 0] })
      const web = add({ Title: '(Web)', A: { S: 'URI', URI: '(https://example.com)' } })
      const last = add({ Title: '(Annex)', Dest: [third ?? '', 'Fit'], Prev: web })
      const chapter = add({ Title: '(1 General)', Dest: [first ?? '', 'XYZ', 0, 800, 0], First: inner, Last: inner, Next: last, Count: 1 })
      return { catalogue: { Outlines: { Type: 'Outlines', First: chapter, Last: last, Count: 2 } } }
    },
    async (pdf) => {
      expect(pdf.title).toBe('年度报告')
      expect(await pdf.outline()).toEqual([
        { title: '1 General', page: 1, top: 0, level: 1 },
        { title: '1.1 Scope', page: 2, top: 200, level: 2 },
        { title: 'Annex', page: 3, top: 0, level: 1 },
      ])
    },
    '年度报告',
  )
})

test('an outline that leads back into itself ends, and a file’s name is no title', async () => {
  await opened(
    ([first], add) => {
      const entry = add({ Title: '(Loop)', Dest: [first ?? '', 'Fit'] })
      const root = add({ Title: '(Root)', Dest: [first ?? '', 'Fit'], First: entry, Last: entry, Next: entry })
      return { catalogue: { Outlines: { First: root, Last: entry } } }
    },
    async (pdf) => {
      expect(pdf.title).toBeUndefined()
      expect((await pdf.outline()).length).toBeLessThan(10)
    },
    'Microsoft Word - report.doc',
  )
})
