import { encode } from '../codecs/encode.ts'
import { fitWindow, padWithin } from '../codecs/fit-window.ts'
import { withAiMark, type MarkedId } from '../image/ai-mark.ts'
import { onGround } from '../image/framing.ts'
import { cutOf, taken, type Cut } from '../image/id-photo-cut.ts'
import { decode, openPicture } from '../image/open.ts'
import { resized, type Pixels } from '../image/pixels.ts'
import { hasDensity, withDpi } from '../image/density/density.ts'
import { printSheet } from '../image/print-sheet.ts'
import { writeMatte } from '../matte/matte-file.ts'
import type { Portrait } from '../matte/portrait.ts'
import { writeNamed } from '../output-file.ts'
import type { Note, Processor } from '../processor.ts'
import { AppError } from '#shared/errors/app-error'
import { formats, isCompressible, readableFormats, type CompressibleId, type FormatId } from '#shared/formats'
import { enlargement } from '#shared/id-photo-crop'
import { byteWindow, idPhotoOf, type ByteWindow, type IdPhoto } from '#shared/id-photos'
import { resultName } from '#shared/names'
import { SHEET_DPI, sheetLayout } from '#shared/print-sheet'
import type { OptionsOf } from '#shared/tools/index'

type Options = OptionsOf<'id-photo'>

/** What shows where the picture is transparent or ends, unless a colour is asked for. */
const GROUND = '#ffffff'
const USUAL_DPI = 300
/** Beyond this enlargement people are told that the photo may look soft. */
const SOFT = 2
/** Where no size is asked for, and for paper. */
const FREE_QUALITY = 92
/** A scaled picture has its colour in full, whatever its source had. */
const SCALED = { isChromaSubsampled: false, isLossless: false }

/** Bytes a density may add to a file of ours, at most: an EXIF chunk in WebP is the longest. */
const DPI_BYTES = 128
/** Bytes the mark of a model's work adds at most: what it takes in the smallest JPEG, and a little more in other formats. */
const markBytes = (producer: string | undefined): number => withAiMark(Buffer.from('ffd8ffd9', 'hex'), 'jpeg', producer).length + 32
const isMarkable = (format: CompressibleId): format is MarkedId => format === 'jpeg' || format === 'png' || format === 'webp'

/** `source` keeps a format whose size can be set; any other becomes JPEG. */
function formatOf(asked: Options['format'], source: FormatId): CompressibleId {
  if (asked !== 'source') return asked
  return isCompressible(source) ? source : 'jpeg'
}

interface Wanted extends ByteWindow {
  /** The limit to try for; without a promise of one, what it would be good not to pass. */
  readonly aimBytes: number | undefined
  readonly format: CompressibleId
  readonly dpi: number
  /** Whether a model had its part in it, and who answers for that. */
  readonly isByModel: boolean
  readonly producer: string | undefined
}

const freely = async (pixels: Pixels, format: CompressibleId) => ({ bytes: await encode(pixels, format, { quality: FREE_QUALITY }) })

/** A photo's file, and the note when no quality brings it within its limit. */
async function fileOf(pixels: Pixels, wanted: Wanted, msLeft: () => number): Promise<{ bytes: Buffer; note?: Note }> {
  const { format, dpi, minBytes, limitBytes, aimBytes, isByModel, producer } = wanted
  const extraBytes = DPI_BYTES + (isByModel ? markBytes(producer) : 0)
  const { bytes } =
    aimBytes === undefined
      ? await freely(pixels, format)
      : await fitWindow(format, pixels, SCALED, { limitBytes: aimBytes - extraBytes, minBytes, keepsPixels: true, msLeft })
  const dense = hasDensity(format) ? withDpi(bytes, format, dpi) : bytes
  const file = isByModel && isMarkable(format) ? withAiMark(dense, format, producer) : dense
  // What is written into a file may take less than was kept free for it.
  if (limitBytes !== undefined && file.length > limitBytes)
    return { bytes: file, note: { kind: 'missed', targetBytes: limitBytes, bestBytes: file.length } }
  return { bytes: padWithin(file, format, minBytes, limitBytes ?? Infinity) ?? file }
}

function windowOf({ minKb, maxKb, sheet }: Options, preset: IdPhoto | undefined): ByteWindow {
  const asked = { ...(minKb !== undefined && { minKb }), ...(maxKb !== undefined && { maxKb }) }
  // A preset's KB are for the file that is sent in, not for a sheet of copies.
  return byteWindow(sheet === 'none' ? (preset ?? {}) : {}, asked)
}

/** Copies of a photo laid out on paper, at the size they have by their own dpi. Throws `options.sheet-too-small`. */
async function sheetOf(photo: Pixels, dpi: number, paper: Exclude<Options['sheet'], 'none'>): Promise<Pixels> {
  const scale = SHEET_DPI / dpi
  const copy = { width: Math.max(1, Math.round(photo.width * scale)), height: Math.max(1, Math.round(photo.height * scale)) }
  const layout = sheetLayout(paper, copy)
  if (layout === undefined) throw new AppError('options.sheet-too-small', {})
  return printSheet(dpi === SHEET_DPI ? photo : await resized(photo, copy.width, copy.height), layout)
}

/** The picture as it is, in three channels. */
const plainly = async (decoded: Pixels): Promise<Portrait> => ({
  photo: await onGround(decoded, GROUND),
  isByModel: false,
  isUnsure: false,
})

/**
 * Makes an ID photo of a picture: the preset's exact pixels, cropped as asked (by the face it finds, or in the middle with the note `no-face`), on a
 * colour if that is asked for, in its KB window, with its dpi; or a sheet of such photos to print. Never enlarged beyond eight times, and not beyond
 * twice without a note. What is too large even at the lowest quality is delivered with the note `missed`. Throws `file.*`, `image.*`, `model.missing`,
 * `face.not-found`, `options.head-outside`, `options.sheet-too-small`.
 */
export const idPhoto: Processor<'id-photo'> = async (job, context) => {
  const {
    inputs: [input],
    options,
  } = job
  const picture = await openPicture(input.path, readableFormats, context.limits, input.name)
  context.progress(0.1)
  const decoded = await decode(picture, false)
  const preset = idPhotoOf(options.preset)
  // Models are loaded where they are asked for, and nowhere else.
  const isPlain = options.crop.by !== 'face' && options.background.by === 'keep'
  const portrait = isPlain ? await plainly(decoded) : await (await import('../matte/portrait.ts')).portraitOf(decoded, job, context)
  const { photo: whole, matte, isByModel, isUnsure, found } = portrait
  const cut = cutOf(options, preset, decoded, found)
  const photo = await taken(whole, cut, options.background.by === 'colour' ? options.background.colour : GROUND)
  context.progress(0.7)
  const { sheet } = options
  const format = formatOf(options.format, picture.format)
  const photoDpi = options.dpi ?? preset?.dpi ?? USUAL_DPI
  const isUnchanged = format === picture.format && photo.width === picture.width && photo.height === picture.height && sheet === 'none'
  const window = windowOf(options, preset)
  // Where nothing is asked of size or sides, a photo is at least not to grow.
  const aimBytes = window.limitBytes ?? (isUnchanged ? Math.max(window.minBytes, picture.bytes) : undefined)
  const printed = sheet === 'none' ? photo : await sheetOf(photo, photoDpi, sheet)
  const dpi = sheet === 'none' ? photoDpi : SHEET_DPI
  const { bytes, note = cutNote(cut, options, isUnsure) } = await fileOf(
    printed,
    { ...window, aimBytes, format, dpi, isByModel, producer: context.producer },
    context.msLeft,
  )
  const name = resultName(input.name, formats[format].extensions[0], sheet === 'none' ? '' : '-排版')
  const output = await writeNamed({ bytes, format, width: printed.width, height: printed.height, note }, name, context.folder)
  const result = { ...output, ...(cut.head && { head: cut.head }) }
  return isByModel && matte && job.wantsParts ? [result, await writeMatte({ matte, isUnsure }, context.folder)] : [result]
}

function cutNote(cut: Cut, { crop }: Options, isUnsure: boolean): Note | undefined {
  if (crop.by === 'face' && !cut.head) return { kind: 'no-face' }
  if (isUnsure) return { kind: 'unsure' }
  const times = enlargement(cut.frame, cut.target)
  return times > SOFT ? { kind: 'enlarged', times: Math.round(times * 10) / 10 } : undefined
}
