import type { Grid } from './samples.ts'

/** How the rows and columns of a picture become upright ones: first its axes are exchanged, then it is mirrored. */
export interface Orientation {
  readonly isTransposed: boolean
  readonly isMirrored: boolean
  readonly isUpsideDown: boolean
}

/** The samples of a part, in whole pixels. */
export function cropped<G extends Grid>(grid: G, left: number, top: number, width: number, height: number): G {
  const { channels } = grid
  const data = new Uint8Array(width * height * channels)
  for (let y = 0; y < height; y++) {
    const from = ((top + y) * grid.width + left) * channels
    data.set(grid.data.subarray(from, from + width * channels), y * width * channels)
  }
  return { ...grid, width, height, data }
}

/** The same picture turned by quarters and mirrored. */
export function oriented<G extends Grid>(grid: G, { isTransposed, isMirrored, isUpsideDown }: Orientation): G {
  if (!isTransposed && !isMirrored && !isUpsideDown) return grid
  const { channels } = grid
  const [width, height] = isTransposed ? [grid.height, grid.width] : [grid.width, grid.height]
  const [stepX, stepY] = isTransposed ? [grid.width * channels, channels] : [channels, grid.width * channels]
  const data = new Uint8Array(width * height * channels)
  let to = 0
  for (let y = 0; y < height; y++) {
    const row = (isUpsideDown ? height - 1 - y : y) * stepY
    for (let x = 0; x < width; x++) {
      const from = row + (isMirrored ? width - 1 - x : x) * stepX
      for (let channel = 0; channel < channels; channel++) data[to++] = grid.data[from + channel] ?? 0
    }
  }
  return { ...grid, width, height, data }
}

/** Pictures of one width, one under the other. */
export function stacked<G extends Grid>(grids: readonly [G, ...G[]]): G {
  const height = grids.reduce((sum, grid) => sum + grid.height, 0)
  const [first] = grids
  const data = new Uint8Array(first.width * height * first.channels)
  let at = 0
  for (const grid of grids) {
    const length = grid.width * grid.height * grid.channels
    data.set(grid.data.subarray(0, length), at)
    at += length
  }
  return { ...first, height, data }
}

/** Pictures of one height, side by side. */
export function abreast<G extends Grid>(grids: readonly [G, ...G[]]): G {
  const [first] = grids
  const { channels, height } = first
  const width = grids.reduce((sum, grid) => sum + grid.width, 0)
  const data = new Uint8Array(width * height * channels)
  let left = 0
  for (const grid of grids) {
    const stride = grid.width * channels
    for (let y = 0; y < height; y++) data.set(grid.data.subarray(y * stride, (y + 1) * stride), (y * width + left) * channels)
    left += grid.width
  }
  return { ...first, width, data }
}
