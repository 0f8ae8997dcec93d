import { open, readFile } from 'node:fs/promises'
import type { Origin } from './codec.ts'
import type { Fitted } from './fit-picture.ts'
import { fitWindow, type WindowAim } from './fit-window.ts'
import { metadataChunks, type Picture } from '../image/open.ts'
import type { Pixels } from '../image/pixels.ts'
import type { CompressibleId } from '#shared/formats'

/** What a picture's file tells about how much is worth keeping. */
export async function originOf({ path, format, metadata }: Picture): Promise<Origin> {
  const isChromaSubsampled = metadata.chromaSubsampling?.startsWith('4:2') ?? format === 'jpeg'
  if (format !== 'webp') return { isChromaSubsampled, isLossless: format === 'png' }
  await using file = await open(path)
  const { buffer } = await file.read(Buffer.alloc(64), 0, 64, 0)
  return { isChromaSubsampled, isLossless: buffer.includes('VP8L') }
}

/** The metadata a PNG is to keep, as its chunks; empty where none is. */
export const keptChunksOf = async (picture: Picture, { reopen }: Pixels): Promise<Buffer> =>
  reopen ? metadataChunks(picture) : Buffer.alloc(0)

/**
 * A picture within a byte window in its own format, from samples that may be another size than the file's; the file tells
 * what is worth keeping. `isWithin` is false where not even the worst quality was enough.
 */
export async function fitSource(
  picture: Picture<CompressibleId>,
  pixels: Pixels,
  aim: Omit<WindowAim, 'keptChunks' | 'source'>,
): Promise<Fitted> {
  const keptChunks = picture.format === 'png' ? await keptChunksOf(picture, pixels) : undefined
  const source = picture.format === 'gif' ? await readFile(picture.path) : undefined
  return fitWindow(picture.format, pixels, await originOf(picture), {
    ...aim,
    ...(keptChunks && { keptChunks }),
    ...(source && { source }),
  })
}
