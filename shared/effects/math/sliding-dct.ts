import { blankPlane, type Plane } from './plane.ts'
import { loadKernel, type Kernel } from '../kernels/load.ts'
import { wasm } from '../kernels/slide-dct.wasm.ts'

interface SlideKernel extends Kernel {
  readonly slide: (
    plane: number,
    pilot: number,
    out: number,
    totals: number,
    width: number,
    height: number,
    step: number,
    levels: number,
    work: number,
  ) => void
  readonly level: (out: number, totals: number, count: number) => void
}

let kernel: SlideKernel | undefined

/** How squares of 8 × 8 are changed among their orthonormal frequencies, that of column `u`, row `v` at `v * 8 + u`. */
export interface Slide {
  /** Squares begin at every so many pixels each way. */
  readonly step: number
  /** Without a pilot: the bound below which a frequency becomes nought. With one: the variance of its noise, for empirical Wiener shrinkage. */
  readonly levels: Float32Array
  /** A plane of the same size that is nearer to what is sought. */
  readonly pilot?: Plane
}

/** Bytes of work space a row, and of the levels. */
const [ROW_BYTES, LEVEL_BYTES] = [100, 256]

/**
 * A plane all of whose squares of 8 × 8 were changed among their frequencies, overlapping ones averaged: by how few frequencies were left, or by how
 * little noise (sliding transform: Yu and Sapiro, "DCT image denoising", IPOL 2011; its Wiener form: Pierazzo, Morel and Facciolo 2017). Its height is a
 * multiple of four, and both sides less 8 one of the step.
 */
export function slideDct({ data, width, height }: Plane, { step, levels, pilot }: Slide): Plane {
  kernel ??= loadKernel<SlideKernel>(wasm)
  const { memory, reserve, slide, level } = kernel
  const bytes = Math.ceil(data.byteLength / 16) * 16
  const start = reserve(LEVEL_BYTES + 4 * bytes + ROW_BYTES * height)
  const plane = start + LEVEL_BYTES
  const [second, out, totals] = [plane + bytes, plane + 2 * bytes, plane + 3 * bytes]
  const floats = (at: number, count: number): Float32Array => new Float32Array(memory.buffer, at, count)
  // A frequency is 8 times as large in the kernel as its orthonormal one, its variance 64 times; the mean is never shrunk.
  const scale = pilot ? 64 : 8
  floats(start, 64).set(levels.map((value, at) => (at === 0 ? 0 : value * scale)))
  floats(plane, data.length).set(data)
  if (pilot) floats(second, data.length).set(pilot.data)
  floats(out, (bytes / 4) * 2).fill(0)
  slide(plane, pilot ? second : 0, out, totals, width, height, step, start, totals + bytes)
  level(out, totals, data.length)
  const result = blankPlane({ width, height })
  result.data.set(floats(out, data.length))
  return result
}
