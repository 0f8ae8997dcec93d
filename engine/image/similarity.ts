import { pipelineOf, samplesOf, type Pixels } from './pixels.ts'

const WINDOW = 8
const STRIDE = 4
const C1 = (0.01 * 255) ** 2
const C2 = (0.03 * 255) ** 2

async function luma(pixels: Pixels): Promise<Buffer> {
  if (pixels.channels === 1) return pixels.data
  return (await samplesOf(pipelineOf(pixels).flatten({ background: '#808080' }).toColourspace('b-w'))).data
}

/**
 * Structural similarity of two pictures of one size, 0..1, on luma over 8×8 box windows every 4 pixels; transparency is
 * laid on mid grey. Source: Wang et al., "Image Quality Assessment: From Error Visibility to Structural Similarity", 2004.
 */
export async function similarity(left: Pixels, right: Pixels): Promise<number> {
  const { width, height } = left
  const [a, b] = [await luma(left), await luma(right)]
  let sum = 0
  let windows = 0
  for (let y = 0; y + WINDOW <= height; y += STRIDE) {
    for (let x = 0; x + WINDOW <= width; x += STRIDE) {
      sum += windowSimilarity(a, b, y * width + x, width)
      windows += 1
    }
  }
  return windows === 0 ? 1 : sum / windows
}

function windowSimilarity(a: Buffer, b: Buffer, start: number, width: number): number {
  let [sumA, sumB, squareA, squareB, product] = [0, 0, 0, 0, 0]
  for (let row = 0; row < WINDOW; row++) {
    const from = start + row * width
    for (let index = from; index < from + WINDOW; index++) {
      const p = a[index] ?? 0
      const q = b[index] ?? 0
      sumA += p
      sumB += q
      squareA += p * p
      squareB += q * q
      product += p * q
    }
  }
  const count = WINDOW * WINDOW
  const [meanA, meanB] = [sumA / count, sumB / count]
  const covariance = product / count - meanA * meanB
  const variances = squareA / count - meanA ** 2 + squareB / count - meanB ** 2
  return ((2 * meanA * meanB + C1) * (2 * covariance + C2)) / ((meanA ** 2 + meanB ** 2 + C1) * (variances + C2))
}
