import { overlap, wholeOf } from '../stage/window.ts'
import type { View } from '../ui/compare-geometry.ts'
import { rasterSize, type Window } from './raster.ts'
import type { Size } from '#shared/resize'

/** From here on a picture is made at its own size, and the screen makes it a little smaller. */
const CLOSE_ZOOM = 0.75

/** The part of a picture that a stage shows, in as many pixels as are seen of it; `zoom` is pixels of the screen for one of the picture. */
export function windowOf({ corner, frame, shown }: View, picture: Size, zoom: number): Window | undefined {
  // Rounded, so that what is shown as large as before is also made as large.
  const perPixel = zoom >= CLOSE_ZOOM ? 1 : Math.round(1000 / zoom) / 1000
  const raster = rasterSize(picture, perPixel)
  const [across, down] = [raster.width / shown.width, raster.height / shown.height]
  const left = Math.floor(-corner.x * across)
  const top = Math.floor(-corner.y * down)
  const right = Math.ceil((frame.width - corner.x) * across)
  const bottom = Math.ceil((frame.height - corner.y) * down)
  const seen = overlap({ left, top, width: right - left, height: bottom - top }, wholeOf(raster))
  return seen && { ...seen, perPixel }
}
