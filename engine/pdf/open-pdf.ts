import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createRequire } from 'node:module'
import { matrixOf, identity } from './matrix.ts'
import type { PageModel } from './page-model.ts'
import { readPage } from './read-page.ts'
import { AppError } from '#shared/errors/app-error'

// pdf.js wants these of a browser before it is loaded. Only its painting uses them, which is never asked for here.
for (const name of ['DOMMatrix', 'ImageData', 'Path2D']) if (!(name in globalThis)) Reflect.set(globalThis, name, function unused() {})
const { getDocument, OPS, PermissionFlag } = await import('pdfjs-dist/legacy/build/pdf.mjs')

/** pdf.js's codes of instructions by their names. */
export type OperatorCodes = typeof OPS

/** A picture larger than this in one PDF is left out, in pixels. */
const MAX_IMAGE_PIXELS = 64e6
/** A page's side, in points; PDF itself allows 14,400. */
const MAX_SIDE = 14_400
/** How long one page may take, in milliseconds: a broken one must not hold up the others. */
const PAGE_MS = 60_000

const home = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
const folder = (name: string): string => `${join(home, name)}/`

/** An open PDF. */
export interface Pdf {
  readonly pages: number
  /** What stands on a page, from 1. Throws `file.unreadable` for a page that can't be read. */
  readonly page: (number: number) => Promise<PageModel>
  readonly close: () => Promise<void>
}

/** What opening may be told. */
export interface OpenOptions {
  readonly password?: string
  readonly maxPages: number
  /** Whether pages tell all that is painted on them exactly, and in its order. */
  readonly paints?: boolean
}

const nameOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.name : '')

async function load(path: string, password: string | undefined) {
  const task = getDocument({
    data: new Uint8Array(await readFile(path)),
    ...(password !== undefined && { password }),
    cMapUrl: folder('cmaps'),
    cMapPacked: true,
    standardFontDataUrl: folder('standard_fonts'),
    wasmUrl: folder('wasm'),
    iccUrl: folder('iccs'),
    useSystemFonts: false,
    disableFontFace: true,
    fontExtraProperties: true,
    stopAtErrors: false,
    maxImageSize: MAX_IMAGE_PIXELS,
    // In Node pdf.js has neither; pictures then come as plain samples.
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: false,
    // Whatever a file asks to have computed is not computed.
    isEvalSupported: false,
    enableXfa: false,
    verbosity: 0,
  })
  try {
    return await task.promise
  } catch (thrown) {
    await task.destroy()
    if (nameOf(thrown) === 'PasswordException') throw new AppError(password === undefined ? 'pdf.password' : 'pdf.wrong-password', {})
    throw new AppError('file.unreadable', {}, { cause: thrown })
  }
}

type Loaded = Awaited<ReturnType<typeof load>>
type Layers = Awaited<ReturnType<Loaded['getOptionalContentConfig']>>

/** Whether a file opens by itself; then a password that opens it too is its owner's. */
const opensWithout = (path: string): Promise<boolean> =>
  load(path, undefined).then(
    async (pdf) => {
      await pdf.loadingTask.destroy()
      return true
    },
    () => false,
  )

/** Whether taking content out is forbidden to who opened it. pdf.js does not tell an owner's password from another's. */
async function isRestricted(pdf: Loaded, path: string, password: string | undefined): Promise<boolean> {
  const allowed = await pdf.getPermissions()
  if (!allowed || allowed.includes(PermissionFlag.COPY)) return false
  return password === undefined || !(await opensWithout(path))
}

async function check(pdf: Loaded, path: string, { maxPages, password }: OpenOptions): Promise<void> {
  if (pdf.numPages < 1) throw new AppError('file.unreadable', {})
  if (pdf.numPages > maxPages) throw new AppError('pdf.too-many-pages', { maxPages })
  if (await isRestricted(pdf, path, password)) throw new AppError('pdf.restricted', {})
}

const inTime = <T>(work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AppError('file.unreadable', {})), PAGE_MS)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

async function pageOf(pdf: Loaded, layers: Layers, number: number, paints: boolean): Promise<PageModel> {
  try {
    const page = await pdf.getPage(number)
    const view = page.getViewport({ scale: 1 })
    if (!(view.width <= MAX_SIDE && view.height <= MAX_SIDE)) throw new AppError('pdf.page-too-large', { page: number })
    const operators = await inTime(page.getOperatorList())
    const model = readPage(operators, {
      codes: OPS,
      map: matrixOf(view.transform) ?? identity,
      width: view.width,
      height: view.height,
      number,
      fontAt: (id) => (page.commonObjs.has(id) ? (page.commonObjs.get(id) as unknown) : undefined), // typed `any`
      isShown: (layer) => layers.isVisible(layer),
      objectAt: (id) => {
        const objects = id.startsWith('g_') ? page.commonObjs : page.objs
        return objects.has(id) ? (objects.get(id) as unknown) : undefined // typed `any`
      },
      paints,
    })
    page.cleanup()
    return model
  } catch (thrown) {
    if (thrown instanceof AppError) throw thrown
    throw new AppError('file.unreadable', {}, { cause: thrown })
  }
}

/**
 * Opens a PDF. Nothing in it is executed, fetched or shown. Throws `pdf.password` where one is needed and `pdf.wrong-password` where another is,
 * `pdf.restricted` where its owner forbids taking its content out, `pdf.too-many-pages`, and `file.unreadable` for what is none.
 */
export async function openPdf(path: string, options: OpenOptions): Promise<Pdf> {
  const pdf = await load(path, options.password)
  try {
    await check(pdf, path, options)
    const layers = await pdf.getOptionalContentConfig()
    return {
      pages: pdf.numPages,
      page: (number) => pageOf(pdf, layers, number, options.paints ?? false),
      close: () => pdf.loadingTask.destroy(),
    }
  } catch (thrown) {
    await pdf.loadingTask.destroy()
    throw thrown
  }
}
