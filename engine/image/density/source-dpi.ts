import { open } from 'node:fs/promises'
import type { Metadata } from 'sharp'
import { dpiOf, exifDpi, MAX_DPI } from './density.ts'
import type { FormatId } from '#shared/formats'

/** JFIF and EXIF lead a JPEG; together they are shorter than this. */
const HEAD_BYTES = 160_000

/** The density a picture file says, in whole dots per inch; undefined where it says none. */
export async function sourceDpi(path: string, format: FormatId, { density = 0, exif }: Metadata): Promise<number | undefined> {
  if (format === 'webp') return exif && exifDpi(exif)
  if (format !== 'jpeg') return density >= 1 && density <= MAX_DPI ? density : undefined
  // sharp says 72 of every JPEG that says nothing.
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
  return dpiOf(buffer.subarray(0, bytesRead), 'jpeg')
}
