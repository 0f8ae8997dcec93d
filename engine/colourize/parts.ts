import sharp from 'sharp'
import { writePart } from '../matte/matte-file.ts'
import { writePreview } from '../matte/parts.ts'
import type { Pixels } from '../image/pixels.ts'
import type { InputFile, OutputFile } from '../processor.ts'
import { decodeChroma, encodeChroma, type Chroma } from '#shared/effects/colourize/chroma'
import type { Size } from '#shared/resize'

/** The chroma an earlier job left of a picture whose chroma has this size; undefined for a file that is none. */
export async function readChroma({ path }: InputFile, { width, height }: Size): Promise<Chroma | undefined> {
  try {
    const pipeline = sharp(path, { limitInputPixels: false, failOn: 'error' })
    const metadata = await pipeline.metadata()
    if (metadata.width !== width || metadata.height !== height || metadata.channels !== 3) return undefined
    return decodeChroma({ data: new Uint8Array(await pipeline.raw().toBuffer()), width, height })
  } catch {
    return undefined
  }
}

/** What an editor of colours works on, written into a job's folder: the chroma before any hint, and the source in a screen's size. */
export async function writeParts(seen: Pixels, chroma: Chroma, folder: string): Promise<OutputFile[]> {
  const { data, width, height } = encodeChroma(chroma)
  const bytes = await sharp(data, { raw: { width, height, channels: 3 } })
    .png({ compressionLevel: 6 })
    .toBuffer()
  return [await writePart('chroma', 'png', bytes, { width, height }, folder), await writePreview('source', seen, folder)]
}
