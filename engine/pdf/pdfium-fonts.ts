import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { shippedFolder } from '../ai/installed.ts'

/** What of PDFium fonts are given to. */
export interface FontTaker {
  readonly FPDF_GetDefaultSystemFontInfo: () => number
  readonly FPDF_SetSystemFontInfo: (info: number) => void
  readonly __indirect_function_table: { readonly set: (index: number, call: unknown) => void }
  /** Growing replaces its buffer. */
  readonly memory: { readonly buffer: ArrayBuffer }
}

/** The font in which Chinese is drawn that a PDF names and does not hold. */
const FONT = 'document-font.ttf'

/** Character sets of Windows whose text it can show: Japanese, Korean, simplified and traditional Chinese. */
const CHARSETS: ReadonlySet<number> = new Set([128, 129, 134, 136])
const SIMPLIFIED = 134
/** What stands for the font where PDFium wants to know of one. */
const HANDLE = 1
const I32 = 0x7f

/** What is used here of WebAssembly, which no library names whose types are asked for. */
interface Runtime {
  readonly WebAssembly: {
    readonly Module: new (bytes: Uint8Array) => object
    readonly Instance: new (module: object, imports: object) => { readonly exports: Readonly<Record<string, unknown>> }
  }
}

/** A function as WebAssembly can call it, of 32-bit numbers: the table of PDFium's takes no other. */
function callable(parameters: number, hasResult: boolean, call: (...args: number[]) => number): unknown {
  const type = [0x60, parameters, ...Array.from({ length: parameters }, () => I32), ...(hasResult ? [1, I32] : [0])]
  const sections = [
    [1, type.length + 1, 1, ...type],
    [2, 7, 1, 1, 0x65, 1, 0x66, 0, 0],
    [7, 5, 1, 1, 0x66, 0, 0],
  ]
  const bytes = Uint8Array.from([0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...sections.flat()])
  // Node has it as a global.
  const { WebAssembly } = globalThis as unknown as Runtime
  return new WebAssembly.Instance(new WebAssembly.Module(bytes), { e: { f: call } }).exports['f']
}

let font: Buffer | undefined

/** The font's bytes, read when the first page needs them; none where it is not installed. */
function fontBytes(): Buffer {
  try {
    font ??= readFileSync(join(shippedFolder, FONT))
  } catch {
    font = Buffer.alloc(0)
  }
  return font
}

/** Copies the font where PDFium has room for it; with less room it asks for the length only. Tables are not handed out one by one. */
function giveFont(pdfium: FontTaker, table: number, to: number, room: number): number {
  if (table !== 0) return 0
  const bytes = fontBytes()
  if (to !== 0 && room >= bytes.length) new Uint8Array(pdfium.memory.buffer).set(bytes, to)
  return bytes.length
}

/** Fields of FPDF_SYSFONTINFO (fpdf_sysfontinfo.h) that are functions, from its start in words, with what they take and whether they answer. */
const fields = (pdfium: FontTaker): readonly (readonly [number, number, boolean, (...args: number[]) => number])[] => [
  [2, 2, false, () => 0],
  [3, 7, true, (_self, _weight, _italic, charset) => (CHARSETS.has(charset ?? 0) && fontBytes().length > 0 ? HANDLE : 0)],
  [4, 2, true, () => 0],
  [5, 5, true, (_self, _handle, table, to, room) => giveFont(pdfium, (table ?? 0) | 0, to ?? 0, room ?? 0)],
  [6, 4, true, () => 0],
  [7, 2, true, () => SIMPLIFIED],
  [8, 2, false, () => 0],
]

/**
 * Lets PDFium draw Chinese whose fonts a PDF does not hold; its pages are blank otherwise. PDFium's table of functions can't grow, so those that would
 * look for fonts of the system, of which there are none, make way.
 */
export function giveFonts(pdfium: FontTaker): void {
  const { __indirect_function_table: table } = pdfium
  const info = pdfium.FPDF_GetDefaultSystemFontInfo()
  const words = new DataView(pdfium.memory.buffer)
  for (const [field, parameters, hasResult, call] of fields(pdfium)) {
    const slot = words.getUint32(info + field * 4, true)
    table.set(slot, callable(parameters, hasResult, call))
  }
  pdfium.FPDF_SetSystemFontInfo(info)
}
