import { readFile } from 'node:fs/promises'
import { releaseJpegs } from './browser-parts.ts'
import { linksOf, outlineOf, titleOf } from './destinations.ts'
import { withDrawnMarks } from './drawn-marks.ts'
import { readGlyphs, type GlyphReader } from './glyph-reader.ts'
import { localWorker } from './local-worker.ts'
import { matrixOf, identity } from './matrix.ts'
import type { OutlineEntry, PageModel } from './page-model.ts'
import { pdfjsFolder } from './pdfjs-folder.ts'
import { getDocument, OPS, ownerDocument, PermissionFlag } from './pdfjs.ts'
import { withCompositions } from './pictures/composed.ts'
import { ArtDrawer, withArt } from './pictures/draw-art.ts'
import type { DrawnImage } from './pictures/drawn-image.ts'
import { JpegStreams } from './pictures/jpeg-streams.ts'
import { withPatternColours } from './pictures/pattern-colours.ts'
import { PictureStore } from './pictures/picture-store.ts'
import { storePictures, underPictures, withPictures } from './pictures/page-pictures.ts'
import { openDrawable } from './raster.ts'
import { readPage } from './read-page.ts'
import { AppError } from '#shared/errors/app-error'

/** pdf.js's codes of instructions by their names. */
export type OperatorCodes = typeof OPS

/** A picture larger than this in one PDF is left out, in pixels. */
const MAX_IMAGE_PIXELS = 64e6
/** A page's side, in points; PDF itself allows 14,400. */
const MAX_SIDE = 14_400
/** Drawings are found among so many paths and texts of a page. */
const MAX_KEPT = 50_000
/** How long one page may take, in milliseconds: a broken one must not hold up the others. */
const PAGE_MS = 60_000

/** An open PDF. */
export interface Pdf {
  readonly pages: number
  /** Left out where it has none. */
  readonly title?: string
  /** What stands on a page, from 1. Throws `file.unreadable` for a page that can't be read. */
  readonly page: (number: number) => Promise<PageModel>
  /** Its bookmarks. */
  readonly outline: () => Promise<readonly OutlineEntry[]>
  readonly close: () => Promise<void>
}

/** What opening may be told. */
export interface OpenOptions {
  readonly password?: string
  readonly maxPages: number
  /** Whether pages tell exactly, and in its order, what is painted on them: drawings and pictures, or text too. */
  readonly paints?: 'drawings' | 'everything'
  /** Reads glyphs whose fonts don't say what they stand for; without it they stay unknown. */
  readonly reader?: GlyphReader
  /** Where pages' pictures are stored as files; without it models say only where they are. */
  readonly pictures?: string
}

const nameOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.name : '')

async function load(path: string, password: string | undefined) {
  const task = getDocument({
    worker: localWorker(),
    data: new Uint8Array(await readFile(path)),
    ...(password !== undefined && { password }),
    cMapUrl: pdfjsFolder('cmaps'),
    cMapPacked: true,
    standardFontDataUrl: pdfjsFolder('standard_fonts'),
    wasmUrl: pdfjsFolder('wasm'),
    iccUrl: pdfjsFolder('iccs'),
    useSystemFonts: false,
    disableFontFace: false,
    ownerDocument,
    fontExtraProperties: true,
    stopAtErrors: false,
    maxImageSize: MAX_IMAGE_PIXELS,
    // Pictures come as plain samples, save JPEGs (see browser-parts.ts).
    isOffscreenCanvasSupported: false,
    isImageDecoderSupported: true,
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

/** Whether a password allows it, as the owner's does, which pdf.js does not tell from another's. */
const allowsCopying = (path: string, password: string): Promise<boolean> =>
  openDrawable(path, password).then(
    (drawable) => {
      drawable.close()
      return drawable.mayCopy
    },
    () => false,
  )

/** Whether taking content out is forbidden to who opened it. */
async function isRestricted(pdf: Loaded, path: string, password: string | undefined): Promise<boolean> {
  const allowed = await pdf.getPermissions()
  if (!allowed || allowed.includes(PermissionFlag.COPY)) return false
  return password === undefined || !(await allowsCopying(path, password))
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

type LoadedPage = Awaited<ReturnType<Loaded['getPage']>>

/** Where pdf.js keeps what goes by an id; what pages share begins with `g_`. */
const objectsOf = (page: LoadedPage, id: string) => (id.startsWith('g_') ? page.commonObjs : page.objs)

/** What pdf.js hands over for the sources of pictures, all of which have come then. */
async function handedOver(page: LoadedPage, drawn: readonly DrawnImage[]): Promise<ReadonlyMap<unknown, unknown>> {
  const handed = new Map<unknown, unknown>()
  for (const source of new Set(drawn.map((image) => image.source)))
    handed.set(source, typeof source === 'string' ? await new Promise((resolve) => objectsOf(page, source).get(source, resolve)) : source)
  return handed
}

/** What a document's pages are read with. */
interface Reader {
  readonly pdf: Loaded
  readonly layers: Layers
  readonly paints: OpenOptions['paints']
  readonly streams: JpegStreams
  readonly store: PictureStore | undefined
  readonly drawer: ArtDrawer
  readonly glyphs: GlyphReader | undefined
  readonly characters: Map<string, ReadonlyMap<number, string>>
  /** What may hold pictures. */
  readonly held: Set<Iterable<unknown>>
}

async function modelOf(loaded: LoadedPage, number: number, { pdf, layers, paints, streams, store, drawer }: Reader): Promise<PageModel> {
  const view = loaded.getViewport({ scale: 1 })
  if (!(view.width <= MAX_SIDE && view.height <= MAX_SIDE)) throw new AppError('pdf.page-too-large', { page: number })
  const links = await linksOf(pdf, loaded)
  const isExact = paints === 'everything'
  const {
    drawn,
    painted: asPainted,
    ...asRead
  } = readPage(await loaded.getOperatorList(), {
    codes: OPS,
    map: matrixOf(view.transform) ?? identity,
    width: view.width,
    height: view.height,
    number,
    fontAt: (id) => (loaded.commonObjs.has(id) ? (loaded.commonObjs.get(id) as unknown) : undefined), // typed `any`
    isShown: (layer) => layers.isVisible(layer),
    objectAt: (id) => (objectsOf(loaded, id).has(id) ? (objectsOf(loaded, id).get(id) as unknown) : undefined), // typed `any`
    keeps: paints ? Infinity : store ? MAX_KEPT : 0,
    paintsText: isExact,
  })
  // What is told exactly as it is painted stays as it is.
  const { page: read, painted } = isExact ? { page: asRead, painted: asPainted } : withDrawnMarks(asRead, asPainted)
  const coloured = await withPatternColours(read, (dpi) => drawer.ground(number, dpi))
  const model = links.length > 0 ? { ...coloured, links } : coloured
  const handed = await handedOver(loaded, drawn)
  if (!store) return paints ? { ...model, painted } : model
  const stored = await storePictures(drawn, { page: model, handed, streams, store })
  const withPlaced = {
    ...model,
    glyphs: await underPictures(model.glyphs, model, drawn, stored),
    rules: [...model.rules, ...stored.rules],
    fills: [...model.fills, ...stored.fills],
    images: stored.images,
  }
  const { page, compositions } = await withArt(withPlaced, painted, drawer, store)
  return paints ? { ...page, painted: withCompositions(withPictures(painted, stored), compositions, page) } : page
}

async function pageOf(reader: Reader, number: number): Promise<PageModel> {
  try {
    const page = await reader.pdf.getPage(number)
    reader.held.add(page.objs).add(page.commonObjs)
    const unread = await inTime(modelOf(page, number, reader))
    releaseJpegs(page.objs)
    reader.held.delete(page.objs)
    page.cleanup()
    const { drawer, glyphs, characters } = reader
    const draw = (dpi: number) => drawer.page(number, dpi)
    return await readGlyphs(unread, { reader: glyphs, draw, fonts: () => drawer.fonts(number), characters })
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
    const store = options.pictures === undefined ? undefined : new PictureStore(options.pictures)
    const { paints, password } = options
    const drawer = new ArtDrawer(path, password)
    const reader: Reader = {
      pdf,
      layers,
      paints,
      streams: new JpegStreams(path),
      store,
      drawer,
      glyphs: options.reader,
      characters: new Map(),
      held: new Set(),
    }
    const close = async (): Promise<void> => {
      for (const objects of reader.held) releaseJpegs(objects)
      await drawer.close()
      await pdf.loadingTask.destroy()
    }
    const title = await titleOf(pdf)
    return {
      pages: pdf.numPages,
      ...(title !== undefined && { title }),
      page: (number) => pageOf(reader, number),
      outline: () => outlineOf(pdf),
      close,
    }
  } catch (thrown) {
    await pdf.loadingTask.destroy()
    throw thrown
  }
}
