import type { Pixels } from '#engine/image/pixels'

/** Class 0 (flat) to 3 (busy) of every 8 x 8 block from the standard deviation of its green or grey samples. */
export const activityClasses = ({ data, width, height, channels }: Pixels): Uint8Array => {
  const across = (width + 7) >> 3
  const classOf = new Uint8Array(across * ((height + 7) >> 3))
  const green = channels < 3 ? 0 : 1
  for (let block = 0; block < classOf.length; block++) {
    const left = (block % across) * 8
    const top = Math.floor(block / across) * 8
    let [n, sum, squares] = [0, 0, 0]
    for (let y = top; y < Math.min(height, top + 8); y++) {
      for (let x = left; x < Math.min(width, left + 8); x++) {
        const v = data[(y * width + x) * channels + green] ?? 0
        n++
        sum += v
        squares += v * v
      }
    }
    const deviation = Math.sqrt(Math.max(0, squares / n - (sum / n) ** 2))
    classOf[block] = deviation < 4 ? 0 : deviation < 10 ? 1 : deviation < 24 ? 2 : 3
  }
  return classOf
}
