import { fontTaker } from './browser-parts.ts'

/** Not told as it is: nothing says what types it has. */
const readingModule: string = 'pdfjs-dist/legacy/build/pdf.worker.mjs'

/** What pdf.js replaces for all of the process where an engine differs from the language by a hair: ours are many times as quick. */
const OWN = [
  [Array.prototype, 'push'],
  [JSON, 'parse'],
  [JSON, 'stringify'],
] as const

const own = OWN.map(([holder, name]) => [holder, name, Object.getOwnPropertyDescriptor(holder, name)] as const)

/** pdf.js itself, … */
export const { getDocument, OPS, PDFWorker, PermissionFlag } = await import('pdfjs-dist/legacy/build/pdf.mjs')
interface ReadingHalf {
  readonly initializeFromPort: (port: object) => void
}

/** … and the half of it that reads. */
export const readingHalf = Reflect.get(await import(readingModule), 'WorkerMessageHandler') as ReadingHalf // it has no types

for (const [holder, name, descriptor] of own) if (descriptor) Object.defineProperty(holder, name, descriptor)

/** The document whose fonts those of PDFs are: see browser-parts.ts, which must come first. */
export const ownerDocument = fontTaker
