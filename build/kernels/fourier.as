// AssemblyScript: `npm run kernels` compiles it to shared/effects/kernels/fourier.wasm.ts.

const LINE: usize = 32 // bytes of four complex samples, their real parts first

/** One step of the transform on two lines of four, the second turned by (c, s). */
@inline
function butterfly(one: usize, other: usize, c: v128, s: v128): void {
  const x = v128.load(other)
  const y = v128.load(other, 16)
  const u = f32x4.sub(f32x4.mul(x, c), f32x4.mul(y, s))
  const v = f32x4.add(f32x4.mul(x, s), f32x4.mul(y, c))
  const p = v128.load(one)
  const q = v128.load(one, 16)
  v128.store(other, f32x4.sub(p, u))
  v128.store(other, f32x4.sub(q, v), 16)
  v128.store(one, f32x4.add(p, u))
  v128.store(one, f32x4.add(q, v), 16)
}

/** Four columns, in the order of reversed bits at `work`, transformed (Cooley and Tukey 1965, radix 2); `turns` holds cosine and sine of each turning factor. */
function transform(work: usize, size: usize, turns: usize): void {
  for (let half: usize = 1; half < size; half *= 2) {
    const step = (size / half) * 4
    for (let k: usize = 0; k < half; k++) {
      const c = v128.load32_splat(turns + k * step)
      const s = v128.load32_splat(turns + k * step, 4)
      for (let at = k; at < size; at += 2 * half) butterfly(work + at * LINE, work + (at + half) * LINE, c, s)
    }
  }
}

/** Four lines of four at `from`, turned, to four rows of a plane. */
@inline
function turn(from: usize, to: usize, row: usize): void {
  const a = v128.load(from)
  const b = v128.load(from + LINE)
  const c = v128.load(from + 2 * LINE)
  const d = v128.load(from + 3 * LINE)
  const ab0 = v128.shuffle<f32>(a, b, 0, 4, 1, 5)
  const ab1 = v128.shuffle<f32>(a, b, 2, 6, 3, 7)
  const cd0 = v128.shuffle<f32>(c, d, 0, 4, 1, 5)
  const cd1 = v128.shuffle<f32>(c, d, 2, 6, 3, 7)
  v128.store(to, v128.shuffle<f32>(ab0, cd0, 0, 1, 4, 5))
  v128.store(to + row, v128.shuffle<f32>(ab0, cd0, 2, 3, 6, 7))
  v128.store(to + 2 * row, v128.shuffle<f32>(ab1, cd1, 0, 1, 4, 5))
  v128.store(to + 3 * row, v128.shuffle<f32>(ab1, cd1, 2, 3, 6, 7))
}

/**
 * The columns of a square of complex samples (a plane of real parts, then one of imaginary ones; its side a power of two from four on), transformed and laid
 * down as rows: twice makes the transform of the square. Four columns at a time go through `work`, 32 bytes a sample of the side, where they stay in the cache.
 */
export function columns(from: usize, to: usize, size: usize, turns: usize, work: usize): void {
  const row = size * 4
  const plane = size * row
  for (let column: usize = 0; column < size; column += 4) {
    for (let y: usize = 0, reversed: usize = 0; y < size; y++) {
      const at = from + y * row + column * 4
      const line = work + reversed * LINE
      v128.store(line, v128.load(at))
      v128.store(line, v128.load(at + plane), 16)
      let bit = size >> 1
      for (; reversed & bit; bit >>= 1) reversed ^= bit
      reversed |= bit
    }
    transform(work, size, turns)
    const out = to + column * row
    for (let y: usize = 0; y < size; y += 4) {
      turn(work + y * LINE, out + y * 4, row)
      turn(work + y * LINE + 16, out + plane + y * 4, row)
    }
  }
}

/** Room for so many bytes, as the address where it begins; what lay there before is no longer meant. */
export function reserve(bytes: usize): usize {
  const start = (__heap_base + 15) & ~15
  const missing = <isize>(start + bytes) - (<isize>memory.size() << 16)
  if (missing > 0 && memory.grow(<i32>((missing + 65535) >> 16)) < 0) unreachable()
  return start
}
