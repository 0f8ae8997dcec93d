import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Picture } from './image/open.ts'
import type { Note, OutputFile } from './processor.ts'
import { formats, hasExtension, isCompressible, type FormatId } from '#shared/formats'
import { resultName, splitName } from '#shared/names'
import type { Size } from '#shared/resize'

/** The name a result goes by: the source's own extension where that says what the file is. */
export function outputName(sourceName: string, format: FormatId): string {
  const { extension } = splitName(sourceName)
  return resultName(sourceName, hasExtension(format, extension) ? extension : formats[format].extensions[0])
}

/** A file as a result of a job, and what is to be said of it; sides are a picture's. */
export interface Written extends Partial<Size> {
  readonly bytes: Buffer
  readonly format: FormatId
  readonly note?: Note | undefined
}

/** Writes a result into the job's folder under a name of its own. */
export async function writeNamed({ bytes, note, ...facts }: Written, name: string, folder: string): Promise<OutputFile> {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return { path, name, ...facts, bytes: bytes.length, ...(note && { note }) }
}

/** Writes a result into the job's folder, under the source's name. */
export const writeOutput = (written: Written, sourceName: string, folder: string): Promise<OutputFile> =>
  writeNamed(written, outputName(sourceName, written.format), folder)

/** The source itself as a result, byte for byte: there was nothing to do, or nothing that would be better. */
export async function sourceOutput(
  picture: Picture,
  sourceName: string,
  folder: string,
  note: Note = { kind: 'unchanged' },
): Promise<OutputFile> {
  const { format, bytes, width, height } = picture
  const name = outputName(sourceName, format)
  const path = join(folder, name)
  await copyFile(picture.path, path)
  return { path, name, format, bytes, width, height, note }
}

/**
 * What is already optimal costs nothing, nor what missed its target at the poorest its format can be. A format that can't be poorer is
 * delivered as good as without a target, which would be a way not to pay.
 */
export const isForNothing = ({ note, format }: OutputFile): boolean =>
  note?.kind === 'unchanged' || (note?.kind === 'missed' && isCompressible(format))
