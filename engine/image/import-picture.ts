import { readFile } from 'node:fs/promises'
import { readBmp } from '../codecs/bmp/read-bmp.ts'
import { readIco } from '../codecs/ico/read-ico.ts'
import { readExr } from '../codecs/exr/read-exr.ts'
import { readIcns } from '../codecs/icns/read-icns.ts'
import { readCoders, type MagickReadable } from '../codecs/magick/coders.ts'
import { readWithMagick } from '../codecs/magick/magick.ts'
import { drawSvg } from '../codecs/svg/draw-svg.ts'
import { blameFile } from '../failures.ts'
import type { Limits } from '../limits.ts'
import { storedPng, type Raster } from './raster.ts'
import type { FormatId } from '#shared/formats'

const forSharp = ['jpeg', 'png', 'webp', 'avif', 'gif', 'tiff'] as const satisfies readonly FormatId[]

/** Whether sharp reads a format itself. */
export const isForSharp = (format: FormatId): boolean => forSharp.some((one) => one === format)

type Importer = (file: Buffer, limits: Limits) => Promise<Raster>

const byMagick =
  (format: MagickReadable): Importer =>
  (file, limits) =>
    readWithMagick(file, format, limits)

const ofMagick = Object.keys(readCoders) as MagickReadable[] // Object.keys forgets the key type

/** Who reads what sharp does not. A format gets a reader of its own here by one line. */
const importers: Readonly<Partial<Record<FormatId, Importer>>> = {
  ...Object.fromEntries(ofMagick.map((format) => [format, byMagick(format)])),
  bmp: readBmp,
  ico: readIco,
  cur: readIco,
  icns: readIcns,
  exr: readExr,
}

/**
 * A file that sharp does not know, as one it does: a PNG in memory with the picture upright and its EXIF, profile and XMP.
 * Throws `image.too-many-pixels` before decoding, `file.unreadable` and its like for what the reader says of the file.
 */
export async function importPicture(path: string, format: FormatId, limits: Limits): Promise<Buffer> {
  if (format === 'svg') return drawSvg(path, limits)
  const importer = importers[format]
  if (!importer) throw new Error(`no importer of ${format}`)
  const raster = await importer(await readFile(path), limits).catch(blameFile)
  return storedPng(raster)
}
