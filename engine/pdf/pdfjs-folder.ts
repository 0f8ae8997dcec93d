import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const home = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))

/** A folder of what pdf.js comes with; ends with a slash, as it asks for. */
export const pdfjsFolder = (name: string): string => `${join(home, name)}/`
