import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { pngChunk, withChunks } from '../image/png-chunks.ts'
import type { InputFile, OutputFile, Part } from '../processor.ts'
import { AppError } from '#shared/errors/app-error'
import { matteOf, type Matte } from '#shared/matte/matte'
import type { Size } from '#shared/resize'

/** A matte in a file, and whether the model that made it was unsure of its subject. */
export interface FiledMatte {
  readonly matte: Matte
  readonly isUnsure: boolean
}

/** A comment in the file says that its model was unsure, so that whoever takes it up again can tell. */
const UNSURE = { keyword: 'Comment', text: 'unsure' } as const

/** The matte an earlier job left of a picture of this size. Throws `file.unreadable` for a file that is none. */
export async function readMatte({ path }: InputFile, { width, height }: Size): Promise<FiledMatte> {
  const pipeline = sharp(path, { limitInputPixels: false, failOn: 'error' })
  const metadata = await pipeline.metadata()
  // A file of another size is not decoded: its samples would be no matte of this picture.
  if (metadata.width !== width || metadata.height !== height) throw new AppError('file.unreadable', {})
  const { data } = await pipeline.extractChannel(0).toColourspace('b-w').raw().toBuffer({ resolveWithObject: true })
  const isUnsure = metadata.comments?.some(({ keyword, text }) => keyword === UNSURE.keyword && text === UNSURE.text) ?? false
  return { matte: matteOf(data, { width, height }), isUnsure }
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
export async function writeMatte({ matte: { data, width, height }, isUnsure }: FiledMatte, folder: string): Promise<OutputFile> {
  const raw = sharp(data, { raw: { width, height, channels: 1 }, limitInputPixels: false })
  const png = await raw.toColourspace('b-w').png({ compressionLevel: 4 }).toBuffer()
  const comment = pngChunk('tEXt', Buffer.from(`${UNSURE.keyword}\0${UNSURE.text}`, 'latin1'))
  return writePart('matte', 'png', isUnsure ? withChunks(png, comment) : png, { width, height }, folder)
}
