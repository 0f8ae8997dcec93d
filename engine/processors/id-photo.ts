import { encode } from '../codecs/encode.ts'
import { fitWindow, padWithin } from '../codecs/fit-window.ts'
import { framed, onGround, turned } from '../image/framing.ts'
import { decode, openPicture } from '../image/open.ts'
import { resized, type Pixels } from '../image/pixels.ts'
import { hasDensity, withDpi } from '../image/density/density.ts'
import { printSheet } from '../image/print-sheet.ts'
import { writeNamed } from '../output-file.ts'
import type { Note, Processor } from '../processor.ts'
import { AppError } from '#shared/errors/app-error'
import { formats, isCompressible, readableFormats, type CompressibleId, type FormatId } from '#shared/formats'
import { centredFrame, enlargement, framePart, headFrame, targetSides, type Frame, type Sides } from '#shared/id-photo-crop'
import { byteWindow, idPhotoOf, usualHead, type ByteWindow, type IdPhoto } from '#shared/id-photos'
import { resultName } from '#shared/names'
import { SHEET_DPI, sheetLayout } from '#shared/print-sheet'
import type { OptionsOf } from '#shared/tools/index'

type Options = OptionsOf<'id-photo'>

/** What shows where the picture is transparent or ends: white, until a cut-out brings a background colour of its own. */
const GROUND = '#ffffff'
const USUAL_DPI = 300
/** Beyond this enlargement people are told that the photo may look soft … */
const SOFT = 2
/** … and beyond this one it is no photo of a face any more. */
const TOO_SMALL = 8
/** Where no size is asked for, and for paper. */
const FREE_QUALITY = 92
/** A scaled picture has its colour in full, whatever its source had. */
const SCALED = { isChromaSubsampled: false, isLossless: false }

/** What is taken of a picture, and the sides it gets. */
interface Cut {
  readonly frame: Frame
  readonly target: Sides
}

/** Decides on frame and size for an upright source. Throws `file.too-small`, and `options.head-outside` when the marked head does not fit. */
function cutOf({ width, height, keepRatio, crop }: Options, preset: IdPhoto | undefined, source: Sides): Cut {
  const whole = { left: 0, top: 0, ...source }
  const part =
    crop.by === 'rectangle'
      ? framePart(source, { left: crop.cropLeft, top: crop.cropTop, width: crop.cropWidth, height: crop.cropHeight })
      : whole
  const asked = { ...(width !== undefined && { width }), ...(height !== undefined && { height }) }
  const target = targetSides(asked, preset && { width: preset.widthPx, height: preset.heightPx }, part)
  const ratio = target.width / target.height
  if (crop.by !== 'head') return checked({ frame: keepRatio ? centredFrame(part, ratio) : part, target }, source)
  const { frame, isHeadWhole } = headFrame(source, crop, ratio, preset?.head ?? usualHead)
  if (!isHeadWhole) throw new AppError('options.head-outside', {})
  return checked({ frame, target }, source)
}

function checked(cut: Cut, source: Sides): Cut {
  const times = enlargement(cut.frame, cut.target) / TOO_SMALL
  if (times <= 1) return cut
  throw new AppError('file.too-small', { width: Math.ceil(source.width * times), height: Math.ceil(source.height * times) })
}

/** The source as marks and frames see it, and what the frame shows of it. A turned picture has grown about its middle. */
async function taken(source: Pixels, { crop }: Options, { frame, target }: Cut): Promise<Pixels> {
  if (crop.by !== 'head' || crop.tilt === 0) return framed(source, frame, target, GROUND)
  const upright = await turned(source, -crop.tilt, GROUND)
  const left = frame.left + (upright.width - source.width) / 2
  const top = frame.top + (upright.height - source.height) / 2
  return framed(upright, { ...frame, left, top }, target, GROUND)
}

/** Bytes a density may add to a file of ours, at most: an EXIF chunk in WebP is the longest. */
const DPI_BYTES = 128

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
}

const freely = async (pixels: Pixels, format: CompressibleId) => ({
  bytes: await encode(pixels, format, { quality: FREE_QUALITY }),
  isWithin: true,
})

/** A photo's file, and the note when no quality brings it within its limit. */
async function fileOf(pixels: Pixels, wanted: Wanted, msLeft: () => number): Promise<{ bytes: Buffer; note?: Note }> {
  const { format, dpi, minBytes, limitBytes, aimBytes } = wanted
  const { bytes, isWithin } =
    aimBytes === undefined
      ? await freely(pixels, format)
      : await fitWindow(format, pixels, SCALED, { limitBytes: aimBytes - DPI_BYTES, minBytes, keepsPixels: true, msLeft })
  const file = hasDensity(format) ? withDpi(bytes, format, dpi) : bytes
  if (!isWithin && limitBytes !== undefined)
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

/**
 * Makes an ID photo of a picture: the preset's exact pixels, cropped as asked, in its KB window, with its dpi; or a sheet of
 * such photos to print. Never enlarged beyond eight times, and not beyond twice without a note. What is too large even at the
 * lowest quality is delivered with the note `missed`. Throws `file.*`, `image.*`, `options.head-outside`, `options.sheet-too-small`.
 */
export const idPhoto: Processor<'id-photo'> = async ({ inputs: [input], options }, context) => {
  const picture = await openPicture(input.path, readableFormats, context.limits, input.name)
  context.progress(0.1)
  const decoded = await decode(picture, false)
  const preset = idPhotoOf(options.preset)
  const cut = cutOf(options, preset, decoded)
  const photo = await taken(await onGround(decoded, GROUND), options, cut)
  context.progress(0.4)
  const { sheet } = options
  const format = formatOf(options.format, picture.format)
  const photoDpi = options.dpi ?? preset?.dpi ?? USUAL_DPI
  const isUnchanged = format === picture.format && photo.width === picture.width && photo.height === picture.height && sheet === 'none'
  const window = windowOf(options, preset)
  // Where nothing is asked of size or sides, a photo is at least not to grow.
  const aimBytes = window.limitBytes ?? (isUnchanged ? Math.max(window.minBytes, picture.bytes) : undefined)
  const printed = sheet === 'none' ? photo : await sheetOf(photo, photoDpi, sheet)
  const dpi = sheet === 'none' ? photoDpi : SHEET_DPI
  const { bytes, note = enlargedNote(cut) } = await fileOf(printed, { ...window, aimBytes, format, dpi }, context.msLeft)
  const name = resultName(input.name, formats[format].extensions[0], sheet === 'none' ? '' : '-排版')
  return [await writeNamed({ bytes, format, width: printed.width, height: printed.height, note }, name, context.folder)]
}

function enlargedNote({ frame, target }: Cut): Note | undefined {
  const times = enlargement(frame, target)
  return times > SOFT ? { kind: 'enlarged', times: Math.round(times * 10) / 10 } : undefined
}
