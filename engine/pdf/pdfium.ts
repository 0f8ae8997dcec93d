import { PDFiumModule } from '@hyzyla/pdfium'
import { giveFonts, type FontTaker } from './pdfium-fonts.ts'

/** What is called of PDFium. Pages, bitmaps and the like are addresses in its memory; 0 stands for none. */
export interface Pdfium extends FontTaker {
  readonly FPDF_InitLibrary: () => void
  readonly FPDF_LoadMemDocument: (data: number, bytes: number, password: number) => number
  readonly FPDF_CloseDocument: (document: number) => void
  readonly FPDF_GetLastError: () => number
  readonly FPDF_GetDocPermissions: (document: number) => number
  readonly FPDF_GetPageCount: (document: number) => number
  readonly FPDF_LoadPage: (document: number, index: number) => number
  readonly FPDF_ClosePage: (page: number) => void
  readonly FPDF_GetPageWidth: (page: number) => number
  readonly FPDF_GetPageHeight: (page: number) => number
  readonly FPDFPage_CountObjects: (page: number) => number
  readonly FPDFPage_GetObject: (page: number, index: number) => number
  readonly FPDFPageObj_GetType: (object: number) => number
  readonly FPDFPageObj_SetIsActive: (object: number, isActive: number) => number
  readonly FPDFFormObj_CountObjects: (form: number) => number
  readonly FPDFFormObj_GetObject: (form: number, index: number) => number
  readonly FPDFTextObj_GetFont: (object: number) => number
  readonly FPDFFont_GetIsEmbedded: (font: number) => number
  /** Answers with how many bytes it has to write. */
  readonly FPDFFont_GetBaseFontName: (font: number, to: number, room: number) => number
  /** Writes how many bytes it has to write to the last address. */
  readonly FPDFFont_GetFontData: (font: number, to: number, room: number, count: number) => number
  readonly FPDFBitmap_CreateEx: (width: number, height: number, format: number, data: number, stride: number) => number
  readonly FPDFBitmap_FillRect: (bitmap: number, left: number, top: number, width: number, height: number, colour: number) => void
  readonly FPDFBitmap_Destroy: (bitmap: number) => void
  readonly FPDF_RenderPageBitmap: (
    bitmap: number,
    page: number,
    left: number,
    top: number,
    width: number,
    height: number,
    rotate: number,
    flags: number,
  ) => void
  readonly malloc: (bytes: number) => number
  readonly free: (address: number) => void
}

let loading: Promise<Pdfium> | undefined

async function load(): Promise<Pdfium> {
  const { wasmExports } = await PDFiumModule({})
  // The package's own types name two of what the module exports.
  const pdfium = wasmExports as unknown as Pdfium
  pdfium.FPDF_InitLibrary()
  giveFonts(pdfium)
  return pdfium
}

/** PDFium, loaded once a process. */
export const loadPdfium = (): Promise<Pdfium> => (loading ??= load())

/** PDFium's memory as it is now; growing replaces it. */
export const memoryOf = ({ memory }: Pdfium): Uint8Array => new Uint8Array(memory.buffer)

/** Copies bytes into PDFium's memory; whoever does so frees them. Throws where it has no room. */
export function placed(pdfium: Pdfium, bytes: Uint8Array): number {
  const address = pdfium.malloc(Math.max(1, bytes.length))
  if (address === 0) throw new RangeError('PDFium has no memory left')
  memoryOf(pdfium).set(bytes, address)
  return address
}
