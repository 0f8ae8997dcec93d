/** ITU-T T.81, Annex K: the luminance steps nearly every encoder scales by its quality. */
const ANNEX_K = [
  [16, 11, 10, 16, 24, 40, 51, 61],
  [12, 12, 14, 19, 26, 58, 60, 55],
  [14, 13, 16, 24, 40, 57, 69, 56],
  [14, 17, 22, 29, 51, 87, 80, 62],
  [18, 22, 37, 56, 68, 109, 103, 77],
  [24, 35, 55, 64, 81, 104, 113, 92],
  [49, 64, 78, 87, 103, 121, 120, 101],
  [72, 92, 95, 98, 112, 100, 103, 99],
].flat()
const ANNEX_K_CHROMA = [
  [17, 18, 24, 47],
  [18, 21, 26, 66],
  [24, 26, 56, 99],
  [47, 66, 99, 99],
].flatMap((row) => [...row, 99, 99, 99, 99])

/** A table at a quality of 1..100 (libjpeg's scaling). */
function scaled(table: readonly number[], quality: number): readonly number[] {
  const percent = quality < 50 ? 5000 / quality : 200 - 2 * quality
  return Array.from({ length: 64 }, (_, at) => table[at] ?? 99).map((step) =>
    Math.min(255, Math.max(1, Math.floor((step * percent + 50) / 100))),
  )
}

/** The steps of brightness's orthonormal frequencies at a quality of 1..100; that of column `u`, row `v` at `v * 8 + u`. */
export const lumaSteps = (quality: number): readonly number[] => scaled(ANNEX_K, quality)

/** Those of colours' frequencies. */
export const chromaSteps = (quality: number): readonly number[] => scaled(ANNEX_K_CHROMA, quality)
