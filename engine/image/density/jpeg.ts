import { exifOfDpi, tiffDpi, withTiffDpi } from './tiff.ts'
import { AppError } from '#shared/errors/app-error'

const [APP0, APP1, APP13, APP14, SOS] = [0xe0, 0xe1, 0xed, 0xee, 0xda]
const JFIF = Buffer.from('JFIF\0', 'latin1')
const EXIF = Buffer.from('Exif\0\0', 'latin1')
const PHOTOSHOP = Buffer.from('Photoshop 3.0\0', 'latin1')
const ADOBE = Buffer.from('Adobe', 'latin1')
const RESOLUTION_INFO = 0x03ed
const MAX_SEGMENT_BYTES = 65_535
const [PER_INCH, PER_CENTIMETRE] = [1, 2]

/** A marker segment before the first scan: `payload` begins behind its length. */
interface Segment {
  readonly marker: number
  readonly start: number
  readonly payload: Buffer
}

/** The segments before the first scan (ITU-T T.81 §B.1.1). Throws `file.unreadable` when this is no JPEG. */
function segmentsOf(file: Buffer): Segment[] {
  if (file.length < 4 || file.readUInt16BE(0) !== 0xffd8) throw new AppError('file.unreadable', {})
  const segments: Segment[] = []
  for (let at = 2; at + 4 <= file.length && file[at] === 0xff;) {
    const marker = file[at + 1] ?? 0
    if (marker === SOS) break
    if (marker === 0xff) {
      at++ // a fill byte
      continue
    }
    const end = at + 2 + file.readUInt16BE(at + 2)
    if (end < at + 4 || end > file.length) break
    segments.push({ marker, start: at, payload: file.subarray(at + 4, end) })
    at = end
  }
  return segments
}

const begins = ({ payload }: Segment, word: Buffer): boolean => payload.subarray(0, word.length).equals(word)
const isJfif = (one: Segment): boolean => one.marker === APP0 && begins(one, JFIF) && one.payload.length >= 12
const isExif = (one: Segment): boolean => one.marker === APP1 && begins(one, EXIF)

const isFrame = ({ marker }: Segment): boolean => marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/**
 * Whether a JFIF segment may be added: to decoders it says that three components are YCbCr, whatever Adobe's segment or the
 * components' names say (libjpeg's `default_decompress_parms`), so on RGB ones it would turn the colours.
 */
function canBeJfif(segments: readonly Segment[]): boolean {
  const frame = segments.find(isFrame)?.payload
  if (frame === undefined || frame[5] !== 3) return true
  const adobe = segments.find((one) => one.marker === APP14 && begins(one, ADOBE) && one.payload.length >= 12)
  if (adobe) return adobe.payload[11] !== 0
  return String.fromCharCode(frame[6] ?? 0, frame[9] ?? 0, frame[12] ?? 0) !== 'RGB'
}

function segment(marker: number, ...parts: readonly Buffer[]): Buffer {
  const payload = Buffer.concat(parts)
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(payload.length + 2, 2)
  return Buffer.concat([head, payload])
}

/** A JFIF 1.01 segment without thumbnail. */
function jfifOf(dpi: number): Buffer {
  const body = Buffer.from([1, 1, PER_INCH, 0, 0, 0, 0, 0, 0])
  body.writeUInt16BE(dpi, 3)
  body.writeUInt16BE(dpi, 5)
  return segment(APP0, JFIF, body)
}

function patchedJfif({ marker, payload }: Segment, dpi: number): Buffer {
  const copy = Buffer.from(payload)
  copy[7] = PER_INCH
  copy.writeUInt16BE(dpi, 8)
  copy.writeUInt16BE(dpi, 10)
  return segment(marker, copy)
}

/** EXIF with its density set; as it was when it is too broken or too long for that: no reader would get a density from it anyway. */
function patchedExif({ marker, payload }: Segment, dpi: number): Buffer {
  try {
    const tiff = withTiffDpi(payload.subarray(EXIF.length), dpi, 'first')
    if (EXIF.length + tiff.length + 2 <= MAX_SEGMENT_BYTES) return segment(marker, EXIF, tiff)
  } catch (thrown) {
    if (!(thrown instanceof RangeError) && !(thrown instanceof AppError)) throw thrown
  }
  return segment(marker, payload)
}

/** Photoshop's resources with their ResolutionInfo set, where there is one: 16.16 fixed numbers a unit (Adobe Photoshop File Formats). */
function patchedResources({ marker, payload }: Segment, dpi: number): Buffer {
  const copy = Buffer.from(payload)
  for (let at = PHOTOSHOP.length; at + 12 <= copy.length && copy.toString('latin1', at, at + 4) === '8BIM';) {
    const nameBytes = (copy[at + 6] ?? 0) + 1
    const sizeAt = at + 6 + nameBytes + (nameBytes % 2)
    if (sizeAt + 4 > copy.length) break
    const [size, data] = [copy.readUInt32BE(sizeAt), sizeAt + 4]
    if (copy.readUInt16BE(at + 4) === RESOLUTION_INFO && size >= 16 && data + 16 <= copy.length) {
      for (const axis of [data, data + 8]) {
        copy.writeUInt32BE(dpi * 65_536, axis)
        copy.writeUInt16BE(PER_INCH, axis + 4)
      }
    }
    at = data + size + (size % 2)
  }
  return segment(marker, copy)
}

function patched(one: Segment, dpi: number): Buffer | undefined {
  if (isJfif(one)) return patchedJfif(one, dpi)
  if (isExif(one)) return patchedExif(one, dpi)
  return one.marker === APP13 && begins(one, PHOTOSHOP) ? patchedResources(one, dpi) : undefined
}

/**
 * A JPEG with its density set in JFIF (made where there is none), in EXIF and in Photoshop's resources where they are. RGB
 * pictures, which can't be JFIF, get EXIF instead. Throws `file.unreadable` when it is no JPEG.
 */
export function withJpegDpi(file: Buffer, dpi: number): Buffer {
  const segments = segmentsOf(file)
  const parts: Buffer[] = [file.subarray(0, 2)]
  if (!segments.some(isJfif)) {
    if (canBeJfif(segments)) parts.push(jfifOf(dpi))
    else if (!segments.some(isExif)) parts.push(segment(APP1, EXIF, exifOfDpi(dpi)))
  }
  let done = 2
  for (const one of segments) {
    const replacement = patched(one, dpi)
    if (replacement === undefined) continue
    parts.push(file.subarray(done, one.start), replacement)
    done = one.start + 4 + one.payload.length
  }
  return Buffer.concat([...parts, file.subarray(done)])
}

/** The density a JPEG says, in dots per inch: JFIF's, else EXIF's. Undefined where it says none. Throws as `withJpegDpi` does, RangeError for broken EXIF. */
export function jpegDpi(file: Buffer): number | undefined {
  const segments = segmentsOf(file)
  const jfif = segments.find(isJfif)?.payload
  const [unit, density] = jfif ? [jfif[7], jfif.readUInt16BE(8)] : [0, 0]
  if (unit === PER_INCH) return density
  if (unit === PER_CENTIMETRE) return density * 2.54
  const exif = segments.find(isExif)
  return exif && tiffDpi(exif.payload.subarray(EXIF.length))
}
