import type { Pixels } from './pixels.ts'

/** Planes of Y, Cb and Cr over a grey checkerboard, so that an error of alpha shows as an error of colour. */
interface Planes {
  width: number
  height: number
  y: Float32Array
  cb: Float32Array
  cr: Float32Array
}

/** The picture composited over a checkerboard of 64 and 192 (8 px) and turned to YCbCr (Rec. 601). */
export const planes = ({ data, width, height, channels }: Pixels): Planes => {
  const [y, cb, cr] = [new Float32Array(width * height), new Float32Array(width * height), new Float32Array(width * height)]
  const [g, b] = channels < 3 ? [0, 0] : [1, 2]
  const alphaAt = channels === 2 ? 1 : channels === 4 ? 3 : -1
  for (let i = 0, at = 0; i < y.length; i++, at += channels) {
    const alpha = alphaAt < 0 ? 1 : (data[at + alphaAt] ?? 0) / 255
    const back = alpha === 1 ? 0 : (((i % width) >> 3) + (Math.floor(i / width) >> 3)) & 1 ? 192 : 64
    const red = back + alpha * ((data[at] ?? 0) - back)
    const green = back + alpha * ((data[at + g] ?? 0) - back)
    const blue = back + alpha * ((data[at + b] ?? 0) - back)
    const luma = 0.299 * red + 0.587 * green + 0.114 * blue
    y[i] = luma
    cb[i] = 0.564 * (blue - luma)
    cr[i] = 0.713 * (red - luma)
  }
  return { width, height, y, cb, cr }
}

/** 0 = equal, 1 = nothing in common: 1 - SSIM (Wang et al. 2004, 8 x 8 windows every 4 px), luma weighing 0.6 and each chroma plane 0.2. */
export const pictureError = (a: Planes, b: Planes): number =>
  1 - (0.6 * ssim(a.y, b.y, a) + 0.2 * ssim(a.cb, b.cb, a) + 0.2 * ssim(a.cr, b.cr, a))

const ssim = (a: Float32Array, b: Float32Array, { width, height }: Planes): number => {
  const size = Math.min(8, width, height)
  const n = size * size
  let total = 0
  let windows = 0
  for (let top = 0; top + size <= height; top += 4) {
    for (let left = 0; left + size <= width; left += 4) {
      let sa = 0
      let sb = 0
      let saa = 0
      let sbb = 0
      let sab = 0
      for (let y = top; y < top + size; y++) {
        for (let i = y * width + left, end = i + size; i < end; i++) {
          const p = a[i] ?? 0
          const q = b[i] ?? 0
          sa += p
          sb += q
          saa += p * p
          sbb += q * q
          sab += p * q
        }
      }
      const [ma, mb] = [sa / n, sb / n]
      const numerator = (2 * ma * mb + 6.5025) * (2 * (sab / n - ma * mb) + 58.5225)
      total += numerator / ((ma * ma + mb * mb + 6.5025) * (saa / n - ma * ma + sbb / n - mb * mb + 58.5225))
      windows++
    }
  }
  return total / windows
}
