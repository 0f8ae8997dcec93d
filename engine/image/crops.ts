import type { Pixels } from './pixels.ts'

const SIDE_PX = 256
/** Where crops lie, as shares of the room there is: the centre and the four quarters. */
const PLACES = [
  [1 / 2, 1 / 2],
  [1 / 5, 1 / 5],
  [4 / 5, 4 / 5],
  [4 / 5, 1 / 5],
  [1 / 5, 4 / 5],
] as const

/**
 * Five contiguous crops of a picture's first frame, stacked into one picture: enough to
 * judge an encoder's damage. A picture hardly larger than a crop is returned whole.
 */
export function crops({ data, width, height, channels }: Pixels): Pixels {
  if (width < SIDE_PX * 2 || height < SIDE_PX * 2) return { data: data.subarray(0, width * height * channels), width, height, channels }
  const rowBytes = SIDE_PX * channels
  const stacked = Buffer.allocUnsafe(rowBytes * SIDE_PX * PLACES.length)
  PLACES.forEach(([across, down], index) => {
    const left = Math.round((width - SIDE_PX) * across)
    const top = Math.round((height - SIDE_PX) * down)
    for (let row = 0; row < SIDE_PX; row++) {
      const from = ((top + row) * width + left) * channels
      data.copy(stacked, (index * SIDE_PX + row) * rowBytes, from, from + rowBytes)
    }
  })
  return { data: stacked, width: SIDE_PX, height: SIDE_PX * PLACES.length, channels }
}
