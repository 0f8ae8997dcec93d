import { open } from 'node:fs/promises'
import type { Picture } from './open.ts'
import type { Encoding } from '../codecs/encode.ts'

/** Of a lossy source whose quality can't be read: what looks the same at a glance. */
const USUAL_QUALITY = { webp: 85, avif: 65 } as const
/** Above this a JPEG doubles its bytes for nothing to be seen; below, a second loss shows. */
const JPEG_QUALITIES = [50, 95] as const
const JPEG_USUAL_QUALITY = 85

/** The sum of ITU-T T.81's luminance table (Annex K.1), which quality 50 stands for. */
const ANNEX_K_LUMA_SUM = 3688

/** The luminance quantisation steps of a JPEG, found by walking its segments; undefined where there are none before the picture. */
async function lumaSteps(path: string): Promise<readonly number[] | undefined> {
  await using file = await open(path)
  const head = Buffer.alloc(4)
  for (let at = 2; ;) {
    const { bytesRead } = await file.read(head, 0, 4, at)
    const [marker, length] = [head.readUInt16BE(0), head.readUInt16BE(2)]
    if (bytesRead < 4 || marker < 0xffc0 || marker === 0xffda) return undefined
    if (marker === 0xffdb) {
      const { buffer } = await file.read(Buffer.alloc(length), 0, length - 2, at + 4)
      const isTwoBytes = (buffer[0] ?? 0) >> 4 === 1
      if (((buffer[0] ?? 0) & 15) === 0)
        return Array.from({ length: 64 }, (_, n) => (isTwoBytes ? buffer.readUInt16BE(1 + n * 2) : (buffer[1 + n] ?? 0)))
    }
    at += 2 + length
  }
}

/** The quality, 1..100, whose scaling of Annex K's table (as libjpeg's `jpeg_quality_scaling`) comes nearest to these steps. */
export function qualityOfSteps(steps: readonly number[]): number {
  const percent = (100 * steps.reduce((sum, step) => sum + step, 0)) / ANNEX_K_LUMA_SUM
  const quality = percent <= 100 ? 100 - percent / 2 : 5000 / percent
  return Math.min(100, Math.max(1, Math.round(quality)))
}

/** Whether the first picture of a WebP file is lossless, found by walking its RIFF chunks (WebP container specification). */
async function isLosslessWebp(path: string): Promise<boolean> {
  await using file = await open(path)
  const head = Buffer.alloc(8)
  for (let at = 12; ;) {
    const { bytesRead } = await file.read(head, 0, 8, at)
    const name = head.toString('latin1', 0, 4)
    if (bytesRead < 8 || name === 'VP8 ') return false
    if (name === 'VP8L') return true
    const length = head.readUInt32LE(4)
    // A frame's own chunks begin after 16 bytes of its place and time.
    at += name === 'ANMF' ? 8 + 16 : 8 + length + (length % 2)
  }
}

/** How to write a changed picture so that it costs about what its source did: near a JPEG's own quality, lossless where the source is; or at the quality asked for. */
export async function encodingFor({ path, format, metadata }: Picture, asked?: number): Promise<Encoding> {
  const isChromaSubsampled = metadata.chromaSubsampling !== '4:4:4'
  if (asked !== undefined) return { quality: asked, isChromaSubsampled }
  switch (format) {
    case 'jpeg': {
      const steps = await lumaSteps(path)
      const [least, most] = JPEG_QUALITIES
      const quality = steps ? Math.min(most, Math.max(least, qualityOfSteps(steps))) : JPEG_USUAL_QUALITY
      return { quality, isChromaSubsampled }
    }
    case 'webp':
      return { quality: (await isLosslessWebp(path)) ? 100 : USUAL_QUALITY.webp }
    case 'avif':
      return { quality: USUAL_QUALITY.avif }
    default:
      return { quality: 100 }
  }
}

/** What a mended picture is written at least at: at its source's quality, what was mended would be spoilt in the same way again. */
const MENDED_QUALITY = 90

/** As `encodingFor`, for a picture that was mended. AVIF's scale is another one, on which its usual quality is as good. */
export async function encodingForMended(picture: Picture): Promise<Encoding> {
  const encoding = await encodingFor(picture)
  return picture.format === 'avif' ? encoding : { ...encoding, quality: Math.max(encoding.quality, MENDED_QUALITY) }
}
