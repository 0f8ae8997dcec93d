import type { Rgb } from '#shared/effects/effect'
import type { Rect, Size } from '#shared/resize'

/** What is looked at of a picture: a part of the raster one gets where one pixel stands for `perPixel` by `perPixel` of the picture's (1 or more). */
export interface Window extends Rect {
  readonly perPixel: number
}

/** How large a picture is in such a raster. */
export const rasterSize = ({ width, height }: Size, perPixel: number): Size => ({
  width: Math.max(1, Math.floor(width / perPixel)),
  height: Math.max(1, Math.floor(height / perPixel)),
})

/** Where the raster's n-th pixel begins, so that pixels cover whole ones of the picture and no two share any. */
const edge = (n: number, length: number, cells: number): number => Math.floor((n * length) / cells)

/** The pixels of the picture under a part of its raster. */
export function underneath({ left, top, width, height }: Rect, picture: Size, perPixel: number): Rect {
  const raster = rasterSize(picture, perPixel)
  const [x, y] = [edge(left, picture.width, raster.width), edge(top, picture.height, raster.height)]
  return {
    left: x,
    top: y,
    width: edge(left + width, picture.width, raster.width) - x,
    height: edge(top + height, picture.height, raster.height) - y,
  }
}

/** What of a raster is seen: the mean of the pixels under each of its own. `part` is the picture's part under `place`. */
export function reduced(part: Rgb, place: Rect, picture: Size, perPixel: number): Rgb {
  const raster = rasterSize(picture, perPixel)
  if (raster.width === picture.width && raster.height === picture.height) return part
  const { left, top, width, height } = place
  const from = underneath(place, picture, perPixel)
  const data = new Uint8Array(width * height * 3)
  for (let row = 0; row < height; row++) {
    const [y0, y1] = [
      edge(top + row, picture.height, raster.height) - from.top,
      edge(top + row + 1, picture.height, raster.height) - from.top,
    ]
    for (let column = 0; column < width; column++) {
      const x0 = edge(left + column, picture.width, raster.width) - from.left
      const x1 = edge(left + column + 1, picture.width, raster.width) - from.left
      let [red, green, blue] = [0, 0, 0]
      for (let y = y0; y < y1; y++) {
        for (let at = (y * part.width + x0) * 3, end = (y * part.width + x1) * 3; at < end; at += 3) {
          red += part.data[at] ?? 0
          green += part.data[at + 1] ?? 0
          blue += part.data[at + 2] ?? 0
        }
      }
      const count = Math.max(1, (y1 - y0) * (x1 - x0))
      const to = (row * width + column) * 3
      data[to] = Math.round(red / count)
      data[to + 1] = Math.round(green / count)
      data[to + 2] = Math.round(blue / count)
    }
  }
  return { data, width, height }
}

/** Tiles of no more than a side that cover a part, those nearest to its middle first. */
export function tilesOf({ left, top, width, height }: Rect, side: number): readonly Rect[] {
  const tiles: Rect[] = []
  for (let y = 0; y < height; y += side) {
    for (let x = 0; x < width; x += side) {
      tiles.push({ left: left + x, top: top + y, width: Math.min(side, width - x), height: Math.min(side, height - y) })
    }
  }
  const away = (tile: Rect): number =>
    Math.hypot(tile.left + tile.width / 2 - left - width / 2, tile.top + tile.height / 2 - top - height / 2)
  return tiles.toSorted((one, other) => away(one) - away(other))
}
