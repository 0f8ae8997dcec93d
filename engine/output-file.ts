import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Picture } from './image/open.ts'
import type { Note, OutputFile } from './processor.ts'
import { formats, hasExtension, type FormatId } from '#shared/formats'
import { resultName, splitName } from '#shared/names'
import type { Size } from '#shared/resize'

/** The name a result goes by: the source's own extension where that says what the file is. */
export function outputName(sourceName: string, format: FormatId): string {
  const { extension } = splitName(sourceName)
  return resultName(sourceName, hasExtension(format, extension) ? extension : formats[format].extensions[0])
}

/** A picture file as a result of a job, and what is to be said of it. */
export interface Written extends Size {
  readonly bytes: Buffer
  readonly format: FormatId
  readonly note?: Note | undefined
}

/** Writes a result into the job's folder, under the source's name. */
export async function writeOutput(
  { bytes, format, width, height, note }: Written,
  sourceName: string,
  folder: string,
): Promise<OutputFile> {
  const name = outputName(sourceName, format)
  const path = join(folder, name)
  await writeFile(path, bytes)
  return { path, name, format, bytes: bytes.length, width, height, ...(note && { note }) }
}

/** The source itself as a result, byte for byte: there was nothing to do. */
export async function unchangedOutput(picture: Picture, sourceName: string, folder: string): Promise<OutputFile> {
  const { format, bytes, width, height } = picture
  const name = outputName(sourceName, format)
  const path = join(folder, name)
  await copyFile(picture.path, path)
  return { path, name, format, bytes, width, height, note: { kind: 'unchanged' } }
}
