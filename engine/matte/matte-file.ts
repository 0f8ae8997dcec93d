import { join } from 'node:path'
import { writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import type { InputFile, OutputFile } from '../processor.ts'
import { AppError } from '#shared/errors/app-error'
import type { Matte } from '#shared/matte/matte'
import type { Size } from '#shared/resize'

/** The matte an earlier job left of a picture of this size. Throws `file.unreadable` for a file that is none. */
export async function readMatte({ path }: InputFile, { width, height }: Size): Promise<Matte> {
  const pipeline = sharp(path, { limitInputPixels: false, failOn: 'error' })
  const metadata = await pipeline.metadata()
  // A file of another size is not decoded: its samples would be no matte of this picture.
  if (metadata.width !== width || metadata.height !== height) throw new AppError('file.unreadable', {})
  const { data } = await pipeline.toColourspace('b-w').extractChannel(0).raw().toBuffer({ resolveWithObject: true })
  return { data, width, height }
}

/** A matte as a part of a job's results: a grey PNG. */
export async function writeMatte({ data, width, height }: Matte, folder: string): Promise<OutputFile> {
  const bytes = await sharp(data, { raw: { width, height, channels: 1 }, limitInputPixels: false })
    .toColourspace('b-w')
    .png({ compressionLevel: 4 })
    .toBuffer()
  const name = 'matte.png'
  const path = join(folder, name)
  await writeFile(path, bytes)
  return { path, name, format: 'png', bytes: bytes.length, width, height, part: 'matte' }
}
