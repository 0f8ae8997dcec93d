import { loadKernel, type Kernel } from '../kernels/load.ts'
import { wasm } from '../kernels/fourier.wasm.ts'

/** A square transform of one size, with all it needs made once. */
export interface Fourier {
  readonly size: number
  /** Transforms a square of complex samples in place, scaled so that going there and back changes nothing. */
  readonly forward: (re: Float32Array, im: Float32Array) => void
  readonly inverse: (re: Float32Array, im: Float32Array) => void
}

interface FourierKernel extends Kernel {
  readonly columns: (from: number, to: number, size: number, turns: number, work: number) => void
}

/** Bytes of work space a sample of the side. */
const LINE_BYTES = 32

/** The transform of squares of a side that is a power of two from 4 on. Spectra lie as samples do: the frequency (u, v) at v * size + u. */
export function fourier(size: number): Fourier {
  const { memory, reserve, columns } = loadKernel<FourierKernel>(wasm)
  const area = size * size
  const turns = reserve(LINE_BYTES * size + 4 * size + 16 * area)
  const work = turns + 4 * size
  const samples = work + LINE_BYTES * size
  const between = samples + 8 * area
  const angle = (at: number): number => (2 * Math.PI * (at >> 1)) / size
  new Float32Array(memory.buffer, turns, size).set(
    Float32Array.from({ length: size }, (_, at) => (at % 2 === 0 ? Math.cos(angle(at)) : -Math.sin(angle(at)))),
  )
  const real = new Float32Array(memory.buffer, samples, area)
  const imaginary = new Float32Array(memory.buffer, samples + 4 * area, area)
  const both = (re: Float32Array, im: Float32Array): void => {
    real.set(re)
    imaginary.set(im)
    columns(samples, between, size, turns, work)
    columns(between, samples, size, turns, work)
    re.set(real)
    im.set(imaginary)
  }
  return {
    size,
    forward: both,
    // Real and imaginary part in each other's place turn a transform into its inverse.
    inverse: (re, im) => {
      both(im, re)
      const share = 1 / area
      for (let at = 0; at < area; at++) {
        re[at] = (re[at] ?? 0) * share
        im[at] = (im[at] ?? 0) * share
      }
    },
  }
}
