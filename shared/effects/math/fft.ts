/** A square transform of one size, with all it needs made once. */
export interface Fourier {
  readonly size: number
  /** Transforms a square of complex samples in place, scaled so that going there and back changes nothing. */
  readonly forward: (re: Float32Array, im: Float32Array) => void
  readonly inverse: (re: Float32Array, im: Float32Array) => void
}

/** Where each place goes when its bits are read backwards. */
function reversedBits(size: number): Uint16Array {
  const bits = Math.log2(size)
  return Uint16Array.from({ length: size }, (_, at) => {
    let to = 0
    for (let bit = 0; bit < bits; bit++) to |= ((at >> bit) & 1) << (bits - 1 - bit)
    return to
  })
}

/**
 * The fast Fourier transform of the columns of a square (Cooley and Tukey 1965, radix 2), all of them at once: the innermost loop runs along rows,
 * where samples lie side by side and the turning factor stays the same.
 */
function columnsOf(size: number): (re: Float32Array, im: Float32Array) => void {
  const reversed = reversedBits(size)
  const cos = Float64Array.from({ length: size / 2 }, (_, at) => Math.cos((2 * Math.PI * at) / size))
  const sin = Float64Array.from({ length: size / 2 }, (_, at) => -Math.sin((2 * Math.PI * at) / size))
  const kept = new Float32Array(size)
  const swap = (samples: Float32Array, one: number, other: number): void => {
    kept.set(samples.subarray(one * size, (one + 1) * size))
    samples.copyWithin(one * size, other * size, (other + 1) * size)
    samples.set(kept, other * size)
  }
  return (re, im) => {
    for (let row = 0; row < size; row++) {
      const to = reversed[row] ?? 0
      if (to <= row) continue
      swap(re, row, to)
      swap(im, row, to)
    }
    for (let half = 1; half < size; half *= 2) {
      for (let k = 0; k < half; k++) {
        const c = cos[(k * size) / (2 * half)] ?? 1
        const s = sin[(k * size) / (2 * half)] ?? 0
        for (let from = k; from < size; from += 2 * half) butterflies(re, im, from * size, (from + half) * size, c, s, size)
      }
    }
  }
}

/** One step of the transform on two rows. */
function butterflies(re: Float32Array, im: Float32Array, one: number, other: number, c: number, s: number, size: number): void {
  for (let a = one, b = other; a < one + size; a++, b++) {
    const x = re[b] ?? 0
    const y = im[b] ?? 0
    const u = x * c - y * s
    const v = x * s + y * c
    const p = re[a] ?? 0
    const q = im[a] ?? 0
    re[a] = p + u
    im[a] = q + v
    re[b] = p - u
    im[b] = q - v
  }
}

function transpose(samples: Float32Array, size: number): void {
  for (let y = 0; y < size; y++) {
    for (let x = y + 1; x < size; x++) {
      const kept = samples[y * size + x] ?? 0
      samples[y * size + x] = samples[x * size + y] ?? 0
      samples[x * size + y] = kept
    }
  }
}

/** The transform of squares of a side that is a power of two. Spectra lie as samples do: the frequency (u, v) at v * size + u. */
export function fourier(size: number): Fourier {
  const columns = columnsOf(size)
  const both = (re: Float32Array, im: Float32Array): void => {
    columns(re, im)
    transpose(re, size)
    transpose(im, size)
    columns(re, im)
    transpose(re, size)
    transpose(im, size)
  }
  return {
    size,
    forward: both,
    // Real and imaginary part in each other's place turn a transform into its inverse.
    inverse: (re, im) => {
      both(im, re)
      const share = 1 / (size * size)
      for (let at = 0; at < re.length; at++) {
        re[at] = (re[at] ?? 0) * share
        im[at] = (im[at] ?? 0) * share
      }
    },
  }
}
