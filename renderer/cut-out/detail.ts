import { layOver, type Scene } from './compositor.ts'
import { boxOf, cutPart, overlap, strokeWithin, widened } from '../stage/window.ts'
import { blurReach } from '#shared/matte/blur'
import { adjustEdges } from '#shared/matte/edges'
import type { Matte } from '#shared/matte/matte'
import { paintStrokes } from '#shared/matte/paint'
import type { Rect, Size } from '#shared/resize'

/** Pictures at their full size, and those of the preview. */
export interface DetailPictures {
  readonly full: Size
  /** None where no subject was found: then all is ground. */
  readonly matte: ImageBitmap | undefined
  /** None where this tab no longer has the file. */
  readonly source: ImageBitmap | undefined
  readonly preview: ImageBitmap
  readonly foreground: ImageBitmap
}

/** A part of a picture that is stretched over the whole, at the whole's size: RGBA. */
function pixelsIn(picture: ImageBitmap | OffscreenCanvas, { left, top, width, height }: Rect, whole: Size): Uint8ClampedArray<ArrayBuffer> {
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('no canvas')
  context.imageSmoothingQuality = 'high'
  const [across, down] = [picture.width / whole.width, picture.height / whole.height]
  context.drawImage(picture, left * across, top * down, width * across, height * down, 0, 0, width, height)
  return context.getImageData(0, 0, width, height).data
}

/** The matte of a part at full size, with strokes and edges as the server makes them. */
function matteIn(area: Rect, { strokes, look: { feather, shift } }: Scene, { full, matte }: DetailPictures): Matte {
  const reach = Math.ceil(Math.abs(shift)) + Math.ceil(blurReach(feather / 2)) + 1
  const place = widened(area, reach, full) ?? area
  const pixels = matte && pixelsIn(matte, place, full)
  const data = new Uint8Array(place.width * place.height)
  if (pixels) for (let n = 0; n < data.length; n++) data[n] = pixels[4 * n] ?? 0
  const near = strokes.filter((stroke) => {
    const box = boxOf(stroke, full)
    return box && overlap(box, place)
  })
  const painted = paintStrokes(
    { data, width: place.width, height: place.height },
    near.map((stroke) => strokeWithin(stroke, place, full)),
  )
  const edged = adjustEdges(painted, { feather, shift, scale: 1 })
  return cutPart(edged, { ...area, left: area.left - place.left, top: area.top - place.top })
}

/** The subject's colours in a part: the source's, moved as much as the preview's were moved to be without the ground's. */
function coloursIn(area: Rect, { look }: Scene, { full, source, preview, foreground }: DetailPictures): Uint8ClampedArray {
  if (!source) return pixelsIn(look.decontaminate ? foreground : preview, area, full)
  const colours = pixelsIn(source, area, full)
  if (!look.decontaminate) return colours
  const [clean, stained] = [pixelsIn(foreground, area, full), pixelsIn(preview, area, full)]
  for (let n = 0; n < colours.length; n++) colours[n] = (colours[n] ?? 0) + (clean[n] ?? 0) - (stained[n] ?? 0)
  return colours
}

/** The preview's pixels that a part of the picture lies on. */
export function previewBox(area: Rect, { preview, full }: DetailPictures): Rect {
  const scale = preview.width / full.width
  const [left, top] = [Math.floor(area.left * scale), Math.floor(area.top * scale)]
  const [right, bottom] = [Math.ceil((area.left + area.width) * scale), Math.ceil((area.top + area.height) * scale)]
  return { left, top, width: Math.min(right, preview.width) - left, height: Math.min(bottom, preview.height) - top }
}

/** What is behind a part, RGBA at the preview's size, as large as the part. */
function behindIn(area: Rect, behind: Uint8ClampedArray<ArrayBuffer>, pictures: DetailPictures): Uint8ClampedArray<ArrayBuffer> {
  const box = previewBox(area, pictures)
  const canvas = new OffscreenCanvas(box.width, box.height)
  canvas.getContext('2d')?.putImageData(new ImageData(behind, box.width, box.height), 0, 0)
  const perPixel = pictures.full.width / pictures.preview.width
  const place = { ...area, left: area.left - box.left * perPixel, top: area.top - box.top * perPixel }
  return pixelsIn(canvas, place, { width: box.width * perPixel, height: box.height * perPixel })
}

/** A part of a scene at full size, over `behind`, what stands behind it in the preview: RGBA. */
export function composeDetail(
  area: Rect,
  scene: Scene,
  pictures: DetailPictures,
  behind: Uint8ClampedArray<ArrayBuffer>,
): Uint8ClampedArray<ArrayBuffer> {
  const pixels = behindIn(area, behind, pictures)
  const matte = matteIn(area, scene, pictures)
  const colours = coloursIn(area, scene, pictures)
  for (let n = 0, at = 0; n < matte.data.length; n++, at += 4) {
    const alpha = matte.data[n] ?? 0
    if (alpha > 0) layOver(pixels, at, alpha, colours[at] ?? 0, colours[at + 1] ?? 0, colours[at + 2] ?? 0)
  }
  return pixels
}
