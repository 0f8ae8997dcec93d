import sharp from 'sharp'
import { checkSize } from '#engine/image/check-size'
import { fileFailure } from '#engine/failures'
import type { Limits } from '#engine/limits'
import { AppError, toWire, type WireError } from '#shared/errors/app-error'

/** The one loader that the environment blocks and drawings need. */
const loader = { operation: ['VipsForeignLoadSvg'] }

/** A drawing that is to be drawn. */
export interface Drawing {
  readonly path: string
  readonly limits: Limits
}

/** A PNG file, or why there is none. */
export type Rendered = { readonly png: Uint8Array } | { readonly error: WireError }

/** Draws an SVG file at its own size in this process, which has no loader of strangers' drawings before and after. Nothing but the end of the process stops it. */
export async function renderSvg({ path, limits }: Drawing): Promise<Rendered> {
  sharp.unblock(loader)
  try {
    const drawing = sharp(path, { limitInputPixels: false, density: 72 })
    const { format, width, height } = await drawing.metadata()
    if (format !== 'svg') throw new AppError('file.unreadable', {})
    checkSize({ width, height }, limits)
    return { png: await drawing.png({ compressionLevel: 1 }).toBuffer() }
  } catch (thrown) {
    return { error: toWire(fileFailure(thrown)) }
  } finally {
    sharp.block(loader)
  }
}
