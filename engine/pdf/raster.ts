import { readFile } from 'node:fs/promises'
import { heldFonts, type HeldFont } from './held-fonts.ts'
import { loadPdfium, memoryOf, placed, type Pdfium } from './pdfium.ts'
import { AppError } from '#shared/errors/app-error'
import type { Size } from '#shared/resize'

/** A region of a page, in points from the left top corner of the page as a reader sees it. */
export interface Region {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** How a page is drawn. */
export interface DrawOptions {
  readonly dpi: number
  /** The whole page where left out. */
  readonly region?: Region
  /** Pixels at most: what would have more is drawn at fewer dpi. */
  readonly maxPixels?: number
  /** What the page shows beside its text. */
  readonly withoutText?: boolean
  /** On nothing in place of white. */
  readonly isTransparent?: boolean
}

/** A drawn page or region: red, green, blue and alpha of each pixel, and how many pixels an inch has. */
export interface Drawn extends Size {
  readonly data: Uint8Array
  readonly dpi: number
}

/** A PDF whose pages can be drawn. */
export interface Drawable {
  readonly pages: number
  /** Whether who opened it may take its content out, as its owner always may. */
  readonly mayCopy: boolean
  /** A page's size in points, from 1. */
  readonly size: (number: number) => Size
  /** Draws a page, from 1. Throws `file.unreadable` for a page that can't be. */
  readonly draw: (number: number, options: DrawOptions) => Drawn
  /** The font files that a page's text is painted with. */
  readonly fonts: (number: number) => readonly HeldFont[]
  readonly close: () => void
}

const MAX_PIXELS = 40e6
const POINTS_PER_INCH = 72
const BGRA = 4
const BYTES_PER_PIXEL = 4
const WHITE = 0xffffffff
const NOTHING = 0
/** FPDF_ANNOT, and FPDF_REVERSE_BYTE_ORDER for red first. */
const FLAGS = 0x01 | 0x10
const TEXT_OBJECT = 1
const FORM_OBJECT = 5
/** Forms in forms; a file may nest them without end. */
const MAX_DEPTH = 12
const PASSWORD_ERROR = 4
/** Bit 5 of a PDF's permissions. */
const COPY = 1 << 4

function hideText(pdfium: Pdfium, object: number, depth: number): void {
  const type = pdfium.FPDFPageObj_GetType(object)
  if (type === TEXT_OBJECT) pdfium.FPDFPageObj_SetIsActive(object, 0)
  if (type !== FORM_OBJECT || depth >= MAX_DEPTH) return
  const inner = pdfium.FPDFFormObj_CountObjects(object)
  for (let at = 0; at < inner; at++) hideText(pdfium, pdfium.FPDFFormObj_GetObject(object, at), depth + 1)
}

/** The pixels of a page that is open. */
function drawPage(pdfium: Pdfium, page: number, { dpi, region, maxPixels = MAX_PIXELS, isTransparent }: DrawOptions): Drawn {
  const size = { width: pdfium.FPDF_GetPageWidth(page), height: pdfium.FPDF_GetPageHeight(page) }
  const { left, top, right, bottom } = region ?? { left: 0, top: 0, right: size.width, bottom: size.height }
  const wanted = dpi / POINTS_PER_INCH
  const scale = Math.min(wanted, Math.sqrt(maxPixels / Math.max(1, (right - left) * (bottom - top))))
  const width = Math.max(1, Math.round((right - left) * scale))
  const height = Math.max(1, Math.round((bottom - top) * scale))
  const bytes = width * height * BYTES_PER_PIXEL
  const address = pdfium.malloc(bytes)
  if (address === 0) throw new AppError('job.out-of-memory', {})
  const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, BGRA, address, width * BYTES_PER_PIXEL)
  try {
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, isTransparent ? NOTHING : WHITE)
    const whole = [Math.round(-left * scale), Math.round(-top * scale), Math.round(size.width * scale), Math.round(size.height * scale)]
    const [x = 0, y = 0, w = 0, h = 0] = whole
    pdfium.FPDF_RenderPageBitmap(bitmap, page, x, y, w, h, 0, FLAGS)
    return { data: memoryOf(pdfium).slice(address, address + bytes), width, height, dpi: scale * POINTS_PER_INCH }
  } finally {
    pdfium.FPDFBitmap_Destroy(bitmap)
    pdfium.free(address)
  }
}

function withPage<T>(pdfium: Pdfium, document: number, number: number, use: (page: number) => T): T {
  const page = pdfium.FPDF_LoadPage(document, number - 1)
  if (page === 0) throw new AppError('file.unreadable', {})
  try {
    return use(page)
  } finally {
    pdfium.FPDF_ClosePage(page)
  }
}

function draw(pdfium: Pdfium, document: number, number: number, options: DrawOptions): Drawn {
  return withPage(pdfium, document, number, (page) => {
    const objects = options.withoutText ? pdfium.FPDFPage_CountObjects(page) : 0
    for (let at = 0; at < objects; at++) hideText(pdfium, pdfium.FPDFPage_GetObject(page, at), 0)
    return drawPage(pdfium, page, options)
  })
}

const sizeOf = (pdfium: Pdfium, document: number, number: number): Size =>
  withPage(pdfium, document, number, (page) => ({
    width: pdfium.FPDF_GetPageWidth(page),
    height: pdfium.FPDF_GetPageHeight(page),
  }))

/**
 * Opens a PDF to draw its pages; nothing in it is executed or fetched. Throws `pdf.password`, `pdf.wrong-password` and `file.unreadable`; what
 * the owner allows is for `openPdf` to check. PDFium holds the whole file until `close`.
 */
export async function openDrawable(path: string, password?: string): Promise<Drawable> {
  const [pdfium, bytes] = await Promise.all([loadPdfium(), readFile(path)])
  const data = placed(pdfium, bytes)
  const secret = password === undefined ? 0 : placed(pdfium, Buffer.from(`${password}\0`, 'utf8'))
  const document = pdfium.FPDF_LoadMemDocument(data, bytes.length, secret)
  if (secret !== 0) pdfium.free(secret)
  if (document === 0) {
    pdfium.free(data)
    if (pdfium.FPDF_GetLastError() !== PASSWORD_ERROR) throw new AppError('file.unreadable', {})
    throw new AppError(password === undefined ? 'pdf.password' : 'pdf.wrong-password', {})
  }
  return {
    pages: pdfium.FPDF_GetPageCount(document),
    mayCopy: (pdfium.FPDF_GetDocPermissions(document) & COPY) !== 0,
    size: (number) => sizeOf(pdfium, document, number),
    fonts: (number) => withPage(pdfium, document, number, (page) => heldFonts(pdfium, page)),
    draw: (number, options) => draw(pdfium, document, number, options),
    close: () => {
      pdfium.FPDF_CloseDocument(document)
      pdfium.free(data)
    },
  }
}
