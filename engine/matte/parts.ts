import { writeMatte, writePart, type FiledMatte } from './matte-file.ts'
import type { Opacity } from './opacity.ts'
import { pipelineOf, type Pixels } from '../image/pixels.ts'
import type { OutputFile } from '../processor.ts'

/** The longer side of what an editor shows. */
const PREVIEW_PX = 1600

/** A part in a screen's size. */
export async function writePreview(part: 'foreground' | 'source', pixels: Pixels, folder: string): Promise<OutputFile> {
  const { data, info } = await pipelineOf(pixels)
    .resize({ width: PREVIEW_PX, height: PREVIEW_PX, fit: 'inside', withoutEnlargement: true, kernel: 'lanczos3' })
    .webp({ quality: 90, effort: 2 })
    .toBuffer({ resolveWithObject: true })
  return writePart(part, 'webp', data, info, folder)
}

/** What an editor works on, written into a job's folder: the matte at full size, and what to lay under it, in a screen's size. */
export async function writeParts({ seen }: Opacity, matte: FiledMatte, foreground: Pixels, folder: string): Promise<OutputFile[]> {
  return [await writeMatte(matte, folder), await writePreview('foreground', foreground, folder), await writePreview('source', seen, folder)]
}
