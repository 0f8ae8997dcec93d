import type { Pixels } from './pixels.ts'

const SIDE_PX = 256
const ACROSS = [1 / 2, 1 / 5, 4 / 5]

/**
 * Three contiguous crops of a picture's first frame (centre, upper left, lower right), stacked into one picture: enough to
 * judge an encoder's damage. A picture hardly larger than a crop is returned whole.
 */
export function crops({ data, width, height, channels }: Pixels): Pixels {
  if (width < SIDE_PX * 2 || height < SIDE_PX * 2) return { data: data.subarray(0, width * height * channels), width, height, channels }
  const rowBytes = SIDE_PX * channels
  const stacked = Buffer.allocUnsafe(rowBytes * SIDE_PX * ACROSS.length)
  ACROSS.forEach((share, index) => {
    const left = Math.round((width - SIDE_PX) * share)
    const top = Math.round((height - SIDE_PX) * share)
    for (let row = 0; row < SIDE_PX; row++) {
      const from = ((top + row) * width + left) * channels
      data.copy(stacked, (index * SIDE_PX + row) * rowBytes, from, from + rowBytes)
    }
  })
  return { data: stacked, width: SIDE_PX, height: SIDE_PX * ACROSS.length, channels }
}
