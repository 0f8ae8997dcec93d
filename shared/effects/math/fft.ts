/** A square transform of one size, with all it needs made once. */
export interface Fourier {
  readonly size: number
  /** Transforms a square of complex samples in place (rows, then columns), scaled so that going there and back changes nothing. */
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

/** The fast Fourier transform of rows (Cooley and Tukey 1965, radix 2), all rows of a square one after the other. */
function rowsOf(size: number): (re: Float32Array, im: Float32Array) => void {
  const reversed = reversedBits(size)
  const cos = Float32Array.from({ length: size / 2 }, (_, at) => Math.cos((2 * Math.PI * at) / size))
  const sin = Float32Array.from({ length: size / 2 }, (_, at) => -Math.sin((2 * Math.PI * at) / size))
  return (re, im) => {
    for (let row = 0; row < size * size; row += size) {
      for (let at = 0; at < size; at++) {
        const to = reversed[at] ?? 0
        if (to <= at) continue
        const [a, b] = [row + at, row + to]
        let kept = re[a] ?? 0
        re[a] = re[b] ?? 0
        re[b] = kept
        kept = im[a] ?? 0
        im[a] = im[b] ?? 0
        im[b] = kept
      }
      for (let half = 1; half < size; half *= 2) {
        const stride = size / (2 * half)
        for (let from = row; from < row + size; from += 2 * half) {
          for (let k = 0; k < half; k++) {
            const a = from + k
            const b = a + half
            const c = cos[k * stride] ?? 1
            const s = sin[k * stride] ?? 0
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
      }
    }
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
  const rows = rowsOf(size)
  const both = (re: Float32Array, im: Float32Array): void => {
    rows(re, im)
    transpose(re, size)
    transpose(im, size)
    rows(re, im)
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
