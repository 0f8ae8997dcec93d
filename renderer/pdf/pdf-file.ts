import { AnnotationMode, getDocument, PDFWorker, PermissionFlag } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { AppError } from '#shared/errors/app-error'
import { MAX_PDF_PAGES } from '#shared/tools/pdf-source'
import type { Size } from '#shared/resize'

/** A picture larger than this in one PDF is left out, in pixels. */
const MAX_IMAGE_PIXELS = 64e6
/** A canvas of more pixels takes more memory than a look at a page is worth. */
const MAX_CANVAS_PIXELS = 12e6
/** How long a file may take to open, or a page to be drawn: a broken one must not hold up the others. */
const PATIENCE_MS = 30_000

/** Where the build puts what pdf.js reads beside a file: it asks for folders. */
const folder = (name: string): string => new URL(`/pdfjs/${name}/`, location.href).href

/** A PDF that is open in this page. */
export interface PdfFile {
  readonly pages: number
  /** Whether its owner forbids taking its content out, as far as can be told without knowing whose the password was. */
  readonly isRestricted: boolean
  /** A page's sides in points, as it is read; pages count from 1. */
  readonly sidesOf: (page: number) => Promise<Size>
  /** A page as a picture so many pixels wide. Rejects where it can't be drawn, and once the signal says so. */
  readonly draw: (page: number, widthPx: number, signal?: AbortSignal) => Promise<Blob>
  readonly close: () => Promise<void>
}

/** One for all files: starting it takes longer than opening most of them. */
let worker: PDFWorker | undefined

function ownWorker(): PDFWorker {
  const port = new Worker(new URL('pdfjs-dist/legacy/build/pdf.worker.mjs', import.meta.url), { type: 'module' })
  return PDFWorker.create({ port, verbosity: 0 })
}

/** What hangs is ended with its worker; the next file gets a new one. */
function endWorker(): void {
  const { port } = worker ?? {}
  worker?.destroy()
  if (port instanceof Worker) port.terminate()
  worker = undefined
}

function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: number | undefined
  const late = new Promise<never>((_, reject) => {
    timer = window.setTimeout(() => {
      endWorker()
      reject(new AppError('file.unreadable', {}))
    }, PATIENCE_MS)
  })
  return Promise.race([work, late]).finally(() => window.clearTimeout(timer))
}

async function load(file: Blob, password: string) {
  const data = new Uint8Array(await file.arrayBuffer())
  worker ??= ownWorker()
  const task = getDocument({
    data,
    worker,
    ...(password !== '' && { password }),
    cMapUrl: folder('cmaps'),
    cMapPacked: true,
    standardFontDataUrl: folder('standard_fonts'),
    wasmUrl: folder('wasm'),
    iccUrl: folder('iccs'),
    maxImageSize: MAX_IMAGE_PIXELS,
    // Whatever a file asks to have computed is not computed.
    isEvalSupported: false,
    enableXfa: false,
    verbosity: 0,
  })
  try {
    return await inTime(task.promise)
  } catch (thrown) {
    void task.destroy()
    if (thrown instanceof AppError) throw thrown
    const isLocked = thrown instanceof Error && thrown.name === 'PasswordException'
    throw new AppError(isLocked ? (password === '' ? 'pdf.password' : 'pdf.wrong-password') : 'file.unreadable', {}, { cause: thrown })
  }
}

type Loaded = Awaited<ReturnType<typeof load>>

const toBlob = (canvas: HTMLCanvasElement): Promise<Blob> =>
  new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new AppError('file.unreadable', {}))), 'image/webp', 0.85)
  })

async function draw(pdf: Loaded, number: number, widthPx: number, signal?: AbortSignal): Promise<Blob> {
  const page = await pdf.getPage(number)
  signal?.throwIfAborted()
  const { width, height } = page.getViewport({ scale: 1 })
  const scale = Math.min(widthPx / width, Math.sqrt(MAX_CANVAS_PIXELS / (width * height)))
  const viewport = page.getViewport({ scale })
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(viewport.width))
  canvas.height = Math.max(1, Math.round(viewport.height))
  const task = page.render({ canvas, viewport, annotationMode: AnnotationMode.ENABLE })
  const cancel = (): void => task.cancel()
  signal?.addEventListener('abort', cancel)
  try {
    await inTime(task.promise)
    return await toBlob(canvas)
  } finally {
    signal?.removeEventListener('abort', cancel)
    page.cleanup()
    // Safari counts a canvas until it has no size.
    canvas.width = 0
  }
}

async function isRestricted(pdf: Loaded, password: string): Promise<boolean> {
  const allowed = await pdf.getPermissions()
  return password === '' && allowed !== null && !allowed.includes(PermissionFlag.COPY)
}

/**
 * Opens a PDF by pdf.js, in this page; nothing in it is executed or fetched. Throws `pdf.password` where one is needed, `pdf.wrong-password` where
 * another is, `pdf.too-many-pages`, and `file.unreadable` for what is none.
 */
export async function openPdf(file: Blob, password: string): Promise<PdfFile> {
  const pdf = await load(file, password)
  const close = (): Promise<void> => pdf.loadingTask.destroy()
  try {
    if (pdf.numPages < 1) throw new AppError('file.unreadable', {})
    if (pdf.numPages > MAX_PDF_PAGES) throw new AppError('pdf.too-many-pages', { maxPages: MAX_PDF_PAGES })
    return {
      pages: pdf.numPages,
      isRestricted: await isRestricted(pdf, password),
      sidesOf: async (page) => {
        const { width, height } = (await pdf.getPage(page)).getViewport({ scale: 1 })
        return { width, height }
      },
      draw: (page, widthPx, signal) => draw(pdf, page, widthPx, signal),
      close,
    }
  } catch (thrown) {
    await close()
    throw thrown
  }
}
