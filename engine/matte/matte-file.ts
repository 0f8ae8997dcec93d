import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import type { InputFile, OutputFile, Part } from '../processor.ts'
import { AppError } from '#shared/errors/app-error'
import { matteOf, type Matte } from '#shared/matte/matte'
import type { Size } from '#shared/resize'

/** The matte an earlier job left of a picture of this size. Throws `file.unreadable` for a file that is none. */
export async function readMatte({ path }: InputFile, { width, height }: Size): Promise<Matte> {
  const pipeline = sharp(path, { limitInputPixels: false, failOn: 'error' })
  const metadata = await pipeline.metadata()
  // A file of another size is not decoded: its samples would be no matte of this picture.
  if (metadata.width !== width || metadata.height !== height) throw new AppError('file.unreadable', {})
  const { data } = await pipeline.extractChannel(0).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true })
  return matteOf(data, { width, height })
}

/** A part beside a job's results, in a folder of its own: a result may have any name. */
export async function writePart(part: Part, format: 'png' | 'webp', bytes: Buffer, size: Size, folder: string): Promise<OutputFile> {
  const place = join(folder, 'parts')
  await mkdir(place, { recursive: true })
  const name = `${part}.${format}`
  const path = join(place, name)
  await writeFile(path, bytes)
  return { path, name, format, bytes: bytes.length, width: size.width, height: size.height, part }
}

/** A matte as a part of a job's results: a grey PNG. */
export async function writeMatte({ data, width, height }: Matte, folder: string): Promise<OutputFile> {
  const raw = sharp(data, { raw: { width, height, channels: 1 }, limitInputPixels: false })
  return writePart('matte', 'png', await raw.toColourspace('b-w').png({ compressionLevel: 4 }).toBuffer(), { width, height }, folder)
}
