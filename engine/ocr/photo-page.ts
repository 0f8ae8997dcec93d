import type { Bitmap } from './bitmap.ts'
import { decode, openPicture } from '../image/open.ts'
import { pipelineOf, samplesOf } from '../image/pixels.ts'
import type { Limits } from '../limits.ts'
import { layoutOf, cornersOf } from '#shared/effects/scan-document/scan'
import { warped } from '#shared/effects/scan-document/warp'
import type { ReadableId } from '#shared/formats'

/** Letters of a page of A4 need no more. */
const LONG_PX = 2600
const A4_INCHES = 11.69

/** A photo or a scan of a page: cut to the page where one is seen on something else, and as large as A4. */
export interface PhotoPage {
  readonly bitmap: Bitmap
  readonly dpi: number
}

/** Opens the picture of a page. Throws `file.*` and `image.*`. */
export async function openPhotoPage(path: string, accepts: readonly ReadableId[], limits: Limits, name: string): Promise<PhotoPage> {
  const pixels = await decode({ ...(await openPicture(path, accepts, limits, name)), frames: 1 }, false)
  const fitting = { width: LONG_PX, height: LONG_PX, fit: 'inside', withoutEnlargement: true } as const
  const flat = pipelineOf(pixels).flatten({ background: '#ffffff' }).toColourspace('srgb').resize(fitting).removeAlpha()
  const seen = await samplesOf(flat)
  const photo = seen.channels === 3 ? seen : await samplesOf(pipelineOf(seen).toColourspace('srgb'))
  const colours = { data: photo.data, width: photo.width, height: photo.height }
  const corners = cornersOf(colours, { crop: true, corners: { by: 'auto' } })
  const layout = corners && layoutOf(colours, corners, false)
  const page = layout ? warped(colours, layout) : colours
  const { width, height } = page
  const data = new Uint8Array(width * height * 4).fill(255)
  for (let at = 0; at < width * height; at++) data.set(page.data.subarray(at * 3, at * 3 + 3), at * 4)
  return { bitmap: { data, width, height }, dpi: Math.max(width, height) / A4_INCHES }
}
