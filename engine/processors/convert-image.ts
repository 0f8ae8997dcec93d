import { readFile } from 'node:fs/promises'
import { readApng } from '../codecs/apng/read-apng.ts'
import { canCarry, encode, isAnimatable, pdfPage, type Encoding } from '../codecs/encode.ts'
import { writePdf, type PdfPage } from '../codecs/pdf/write-pdf.ts'
import { carriedFrom, hasUnwanted, type Keeping } from '../image/carried.ts'
import { flattened, frameOf, stacked } from '../image/frames.ts'
import { decode, openPages, type Picture } from '../image/open.ts'
import { carrying, hasAlpha, type Pixels } from '../image/pixels.ts'
import { sourceOutput, writeNamed } from '../output-file.ts'
import type { Context, Note, OutputFile, Processor } from '../processor.ts'
import { convertibleFormats, formats, type ReadableId, type WritableId } from '#shared/formats'
import { pageSuffix, resultName } from '#shared/names'
import { convertImage as tool } from '#shared/tools/convert-image'
import type { OptionsOf } from '#shared/tools/index'

type Options = OptionsOf<'convert-image'>
type Source = Picture<ReadableId>

/** Formats that lose a little each time they are written: asked for another quality, they are written anew. */
const lossy: ReadonlySet<WritableId> = new Set(['jpeg', 'webp', 'avif', 'heic', 'jxl', 'jp2', 'j2k'])
/** Formats that hold pages of one size. */
const isPaged = (format: WritableId): boolean => format === 'tiff'

const keepingOf = ({ keepMetadata, keepLocation, keepProfile }: Options): Keeping => ({
  metadata: keepMetadata,
  location: keepLocation,
  profile: keepProfile || keepMetadata,
})

function encodingOf({ quality, background, icoSizes }: Options, { metadata: { density } }: Picture): Encoding {
  return { quality, background, ...(icoSizes !== 'multi' && { iconSides: [Number(icoSizes)] }), ...(density && { dpi: density }) }
}

/** Whether a source is just what is asked for, with nothing in it that is to go. */
function isAsked(picture: Source, target: WritableId, pageCount: number, options: Options): boolean {
  const isSame = picture.format === target || (target === 'apng' && picture.format === 'png' && picture.isLockedAnimation)
  const isWhole = options.pages === 'all' || (pageCount === 1 && picture.frames === 1 && !picture.isLockedAnimation)
  const isOfQuality = !lossy.has(target) || options.quality === tool.options.quality.initial
  const isOfSizes = target !== 'ico' || options.icoSizes === 'multi'
  return isSame && isWhole && isOfQuality && isOfSizes && !hasUnwanted(picture, keepingOf(options))
}

/** A page decoded, with what is to be kept of what it carries. */
async function pixelsOf(picture: Source, keeping: Keeping, context: Context): Promise<Pixels> {
  if (picture.format === 'png' && picture.isLockedAnimation) return readApng(await readFile(picture.path), context.limits)
  return carrying(await decode(picture, keeping.profile), carriedFrom(picture, keeping))
}

/** The pictures that become files of their own, one after the other so that only one is in memory. */
async function* stillsOf(first: Pixels, others: readonly (() => Promise<Pixels>)[], target: WritableId, options: Options) {
  const frames = first.animation?.frames ?? 1
  if (frames > 1 && options.pages === 'first') yield frameOf(first, 0)
  else if (frames > 1 && !isAnimatable(target) && !isPaged(target)) {
    for (let frame = 0; frame < frames; frame++) yield frameOf(first, frame)
  } else yield first
  for (const next of others) yield await next()
}

/**
 * Converts a picture: to one file, or one a page or frame where the format holds one only; several pages go into one PDF, and
 * into one TIFF where they are of one size. A file that is what is asked for comes back byte for byte. GPS goes unless it is
 * to be kept. Throws `file.*` and `image.*` for what can't be read, `format.*` for what the target can't hold.
 */
export const convertImage: Processor<'convert-image'> = async ({ inputs: [input], options }, context) => {
  const pages = await openPages(input.path, convertibleFormats, context.limits, input.name)
  const [openFirst, ...openOthers] = options.pages === 'first' ? pages.slice(0, 1) : pages
  if (openFirst === undefined) throw new Error('a file of no pages')
  const picture = await openFirst()
  context.progress(0.1)
  const target = picture.format === options.format && options.sameFormat === 'jpeg' ? 'jpeg' : options.format
  const keeping = keepingOf(options)
  const first = await pixelsOf(picture, keeping, context)
  context.progress(0.3)
  if (isAsked(picture, target, pages.length, options)) return [await sourceOutput(picture, input.name, context.folder)]
  const others = openOthers.map((open) => async () => pixelsOf(await open(), keeping, context))
  const job = { target, name: input.name, encoding: encodingOf(options, picture), context, note: noteOf(picture, target, keeping) }
  const stills = stillsOf(first, others, target, options)
  if (target === 'pdf') return [await writeAll(stills, job)]
  if (isPaged(target) && others.length > 0)
    return [await store(await encode(await stacked(stills, context.limits), target, job.encoding), first, undefined, job)]
  const count =
    (first.animation && !isAnimatable(target) && !isPaged(target) && options.pages === 'all' ? first.animation.frames : 1) + others.length
  return writeEach(stills, count, job)
}

interface Writing {
  readonly target: WritableId
  readonly name: string
  readonly encoding: Encoding
  readonly context: Context
  readonly note?: Note | undefined
}

async function writeEach(stills: AsyncIterable<Pixels>, count: number, job: Writing): Promise<OutputFile[]> {
  const outputs: OutputFile[] = []
  for await (const pixels of stills) {
    outputs.push(
      await store(await encode(pixels, job.target, job.encoding), pixels, count > 1 ? [outputs.length + 1, count] : undefined, job),
    )
    job.context.progress(0.3 + (0.7 * outputs.length) / count)
  }
  return outputs
}

async function writeAll(stills: AsyncIterable<Pixels>, job: Writing): Promise<OutputFile> {
  const pages: PdfPage[] = []
  for await (const pixels of stills) {
    pages.push(await pdfPage(hasAlpha(pixels) ? await flattened(pixels, job.encoding.background) : pixels, job.encoding))
  }
  return store(writePdf(pages), undefined, undefined, job)
}

/** What is said when metadata was to be kept and the format has no room for it. */
function noteOf({ metadata: { exif, xmp, icc } }: Picture, target: WritableId, keeping: Keeping): Note | undefined {
  const hasWanted = (keeping.metadata && (exif ?? xmp)) || (keeping.profile && icc)
  return hasWanted && !canCarry(target) ? { kind: 'stripped' } : undefined
}

async function store(
  bytes: Buffer,
  pixels: Pixels | undefined,
  page: readonly [number, number] | undefined,
  { target, name: sourceName, encoding, context, note }: Writing,
): Promise<OutputFile> {
  const name = resultName(sourceName, formats[target].extensions[0], page && pageSuffix(...page))
  return writeNamed({ bytes, format: target, ...sidesOf(target, pixels, encoding), note }, name, context.folder)
}

function sidesOf(target: WritableId, pixels: Pixels | undefined, { iconSides }: Encoding): { width?: number; height?: number } {
  if (!pixels) return {}
  const { width, height } = pixels
  const long = Math.max(width, height)
  const icons = { ico: Math.max(...(iconSides ?? [256])), cur: 32, icns: long >= 1024 ? 1024 : long >= 512 ? 512 : long >= 256 ? 256 : 128 }
  const side = target === 'ico' || target === 'cur' || target === 'icns' ? icons[target] : undefined
  return side === undefined ? { width, height } : { width: side, height: side }
}
