// AssemblyScript: `npm run kernels` compiles it to shared/effects/kernels/slide-dct.wasm.ts.

/**
 * The discrete cosine transform of 8 samples (type II) by the flow graph of Loeffler, Ligtenberg and Moschytz (1989), in four lanes. What comes out
 * is √8 times the orthonormal transform, so a square of 8 × 8 there and back is 64 times what it was.
 */
const C2: v128 = f32x4.splat(0.541196100146197)
const C2_LESS: v128 = f32x4.splat(0.765366864730179)
const C2_MORE: v128 = f32x4.splat(1.847759065022573)
const ODD: v128 = f32x4.splat(1.175875602419359)
const K0: v128 = f32x4.splat(0.298631336475)
const K1: v128 = f32x4.splat(2.053119869251)
const K2: v128 = f32x4.splat(3.072711026531)
const K3: v128 = f32x4.splat(1.501321110217)
const Z1: v128 = f32x4.splat(-0.899976223136)
const Z2: v128 = f32x4.splat(-2.562915447742)
const Z3: v128 = f32x4.splat(-1.961570560807)
const Z4: v128 = f32x4.splat(-0.390180644033)

@inline
function add(a: v128, b: v128): v128 {
  return f32x4.add(a, b)
}
@inline
function sub(a: v128, b: v128): v128 {
  return f32x4.sub(a, b)
}
@inline
function mul(a: v128, b: v128): v128 {
  return f32x4.mul(a, b)
}

/** Eight vectors at `from`, `step` bytes apart, to eight at `to`. */
@inline
function forward(from: usize, step: usize, to: usize, toStep: usize): void {
  const s0 = v128.load(from)
  const s1 = v128.load(from + step)
  const s2 = v128.load(from + 2 * step)
  const s3 = v128.load(from + 3 * step)
  const s4 = v128.load(from + 4 * step)
  const s5 = v128.load(from + 5 * step)
  const s6 = v128.load(from + 6 * step)
  const s7 = v128.load(from + 7 * step)
  const a0 = add(s0, s7)
  const a1 = add(s1, s6)
  const a2 = add(s2, s5)
  const a3 = add(s3, s4)
  const b0 = add(a0, a3)
  const b1 = add(a1, a2)
  const b2 = sub(a1, a2)
  const b3 = sub(a0, a3)
  const c = mul(add(b2, b3), C2)
  v128.store(to, add(b0, b1))
  v128.store(to + 4 * toStep, sub(b0, b1))
  v128.store(to + 2 * toStep, add(c, mul(b3, C2_LESS)))
  v128.store(to + 6 * toStep, sub(c, mul(b2, C2_MORE)))
  const d4 = sub(s3, s4)
  const d5 = sub(s2, s5)
  const d6 = sub(s1, s6)
  const d7 = sub(s0, s7)
  const z5 = mul(add(add(d4, d6), add(d5, d7)), ODD)
  const z1 = mul(add(d4, d7), Z1)
  const z2 = mul(add(d5, d6), Z2)
  const z3 = add(mul(add(d4, d6), Z3), z5)
  const z4 = add(mul(add(d5, d7), Z4), z5)
  v128.store(to + 7 * toStep, add(mul(d4, K0), add(z1, z3)))
  v128.store(to + 5 * toStep, add(mul(d5, K1), add(z2, z4)))
  v128.store(to + 3 * toStep, add(mul(d6, K2), add(z2, z3)))
  v128.store(to + toStep, add(mul(d7, K3), add(z1, z4)))
}

@inline
function addAt(at: usize, value: v128): void {
  v128.store(at, f32x4.add(v128.load(at), value))
}

/** Eight vectors of frequencies at `from` to samples added to those at `to`. */
@inline
function addInverse(from: usize, step: usize, to: usize, toStep: usize): void {
  const f0 = v128.load(from)
  const f1 = v128.load(from + step)
  const f2 = v128.load(from + 2 * step)
  const f3 = v128.load(from + 3 * step)
  const f4 = v128.load(from + 4 * step)
  const f5 = v128.load(from + 5 * step)
  const f6 = v128.load(from + 6 * step)
  const f7 = v128.load(from + 7 * step)
  const c = mul(add(f2, f6), C2)
  const e2 = sub(c, mul(f6, C2_MORE))
  const e3 = add(c, mul(f2, C2_LESS))
  const e0 = add(f0, f4)
  const e1 = sub(f0, f4)
  const z5 = mul(add(add(f7, f3), add(f5, f1)), ODD)
  const z1 = mul(add(f7, f1), Z1)
  const z2 = mul(add(f5, f3), Z2)
  const z3 = add(mul(add(f7, f3), Z3), z5)
  const z4 = add(mul(add(f5, f1), Z4), z5)
  const o0 = add(mul(f7, K0), add(z1, z3))
  const o1 = add(mul(f5, K1), add(z2, z4))
  const o2 = add(mul(f3, K2), add(z2, z3))
  const o3 = add(mul(f1, K3), add(z1, z4))
  const p0 = add(e0, e3)
  const p1 = add(e1, e2)
  const p2 = sub(e1, e2)
  const p3 = sub(e0, e3)
  addAt(to, add(p0, o3))
  addAt(to + 7 * toStep, sub(p0, o3))
  addAt(to + toStep, add(p1, o2))
  addAt(to + 6 * toStep, sub(p1, o2))
  addAt(to + 2 * toStep, add(p2, o1))
  addAt(to + 5 * toStep, sub(p2, o1))
  addAt(to + 3 * toStep, add(p3, o0))
  addAt(to + 4 * toStep, sub(p3, o0))
}

/** Four lines of four, `fromStep` and `toStep` bytes apart, turned. */
@inline
function turn(from: usize, fromStep: usize, to: usize, toStep: usize): void {
  const a = v128.load(from)
  const b = v128.load(from + fromStep)
  const c = v128.load(from + 2 * fromStep)
  const d = v128.load(from + 3 * fromStep)
  const ab0 = v128.shuffle<f32>(a, b, 0, 4, 1, 5)
  const ab1 = v128.shuffle<f32>(a, b, 2, 6, 3, 7)
  const cd0 = v128.shuffle<f32>(c, d, 0, 4, 1, 5)
  const cd1 = v128.shuffle<f32>(c, d, 2, 6, 3, 7)
  v128.store(to, v128.shuffle<f32>(ab0, cd0, 0, 1, 4, 5))
  v128.store(to + toStep, v128.shuffle<f32>(ab0, cd0, 2, 3, 6, 7))
  v128.store(to + 2 * toStep, v128.shuffle<f32>(ab1, cd1, 0, 1, 4, 5))
  v128.store(to + 3 * toStep, v128.shuffle<f32>(ab1, cd1, 2, 3, 6, 7))
}

const ROW: usize = 32 // bytes of eight samples
// Two squares to turn rows in, one of frequencies, one of a pilot's.
const BEFORE: usize = memory.data(256, 16)
const AFTER: usize = memory.data(256, 16)
const BLOCK: usize = memory.data(256, 16)
const PILOT: usize = memory.data(256, 16)

/** Rows of eight samples of a plane, `stride` bytes apart, as frequencies; four rows at a time, so their count is a multiple of four. */
function rowsOf(plane: usize, stride: usize, count: i32, rows: usize): void {
  for (let y = 0; y < count; y += 4) {
    turn(plane, stride, BEFORE, 16)
    turn(plane + 16, stride, BEFORE + 64, 16)
    forward(BEFORE, 16, AFTER, 16)
    turn(AFTER, 16, rows, ROW)
    turn(AFTER + 64, 16, rows + 16, ROW)
    plane += stride * 4
    rows += ROW * 4
  }
}

/** Rows of frequencies back to samples, added to those of a plane. */
function addRows(rows: usize, count: i32, plane: usize, stride: usize): void {
  for (let y = 0; y < count; y += 4) {
    turn(rows, ROW, BEFORE, 16)
    turn(rows + 16, ROW, BEFORE + 64, 16)
    memory.fill(AFTER, 0, 128)
    addInverse(BEFORE, 16, AFTER, 16)
    turn(AFTER, 16, BEFORE, ROW)
    turn(AFTER + 64, 16, BEFORE + 16, ROW)
    for (let line: usize = 0; line < 4; line++) {
      addAt(plane + line * stride, v128.load(BEFORE + line * ROW))
      addAt(plane + line * stride + 16, v128.load(BEFORE + line * ROW + 16))
    }
    plane += stride * 4
    rows += ROW * 4
  }
}

@inline
function transform(rows: usize, to: usize): void {
  forward(rows, ROW, to, ROW)
  forward(rows + 16, ROW, to + 16, ROW)
}

@inline
function sum(value: v128): f32 {
  return f32x4.extract_lane(value, 0) + f32x4.extract_lane(value, 1) + f32x4.extract_lane(value, 2) + f32x4.extract_lane(value, 3)
}

/** Frequencies below their bound become nought; the weight is one by how many are left. */
@inline
function harden(bounds: usize): f32 {
  let left = f32x4.splat(0)
  const one = f32x4.splat(1)
  for (let at: usize = 0; at < 256; at += 16) {
    const value = v128.load(BLOCK + at)
    const kept = f32x4.ge(f32x4.abs(value), v128.load(bounds + at))
    v128.store(BLOCK + at, v128.and(value, kept))
    left = add(left, v128.and(one, kept))
  }
  return 1 / sum(left)
}

/** Frequencies are damped by what the pilot says is signal (Wiener); the weight is one by the energy of noise that is left. */
@inline
function soften(variances: usize): f32 {
  let left = f32x4.splat(0)
  const least = f32x4.splat(1e-6)
  for (let at: usize = 0; at < 256; at += 16) {
    const pilot = v128.load(PILOT + at)
    const power = add(mul(pilot, pilot), least)
    const gain = f32x4.div(power, add(power, v128.load(variances + at)))
    v128.store(BLOCK + at, mul(v128.load(BLOCK + at), gain))
    left = add(left, mul(gain, gain))
  }
  return 1 / sum(left)
}

/**
 * Squares of 8 × 8 of a plane (`width` × `height`, a height that is a multiple of four), at every `step`-th pixel each way, changed among their
 * frequencies and added up in `out`, their weights in `totals`. With a pilot, `levels` are variances, else bounds, of frequencies at 8 times the
 * orthonormal scale. `work` holds 100 bytes a row.
 */
export function slide(plane: usize, pilot: usize, out: usize, totals: usize, width: i32, height: i32, step: i32, levels: usize, work: usize): void {
  const stride = <usize>width * 4
  const size = <usize>height * ROW
  const rows = work
  const pilotRows = work + size
  const sums = work + 2 * size
  const weights = work + 3 * size
  for (let x = 0; x + 8 <= width; x += step) {
    const offset = <usize>x * 4
    rowsOf(plane + offset, stride, height, rows)
    if (pilot) rowsOf(pilot + offset, stride, height, pilotRows)
    memory.fill(sums, 0, size)
    memory.fill(weights, 0, <usize>height * 4)
    for (let y = 0; y + 8 <= height; y += step) {
      const line = <usize>y * ROW
      transform(rows + line, BLOCK)
      let weight: f32
      if (pilot) {
        transform(pilotRows + line, PILOT)
        weight = soften(levels)
      } else weight = harden(levels)
      const factor = f32x4.splat(weight)
      for (let at: usize = 0; at < 256; at += 16) v128.store(BLOCK + at, mul(v128.load(BLOCK + at), factor))
      addInverse(BLOCK, ROW, sums + line, ROW)
      addInverse(BLOCK + 16, ROW, sums + line + 16, ROW)
      const at = weights + <usize>y * 4
      addAt(at, factor)
      addAt(at + 16, factor)
    }
    addRows(sums, height, out + offset, stride)
    for (let y = 0; y < height; y++) {
      const factor = f32x4.splat(load<f32>(weights + <usize>y * 4) * 64)
      const at = totals + <usize>y * stride + offset
      addAt(at, factor)
      addAt(at + 16, factor)
    }
  }
}

/** Sums by their weights, in place. */
export function level(out: usize, totals: usize, count: i32): void {
  for (let at: usize = 0; at < <usize>count * 4; at += 16) v128.store(out + at, f32x4.div(v128.load(out + at), v128.load(totals + at)))
}

/** Room for so many bytes, as the address where it begins; what lay there before is no longer meant. */
export function reserve(bytes: usize): usize {
  const start = (__heap_base + 15) & ~15
  const missing = <isize>(start + bytes) - (<isize>memory.size() << 16)
  if (missing > 0 && memory.grow(<i32>((missing + 65535) >> 16)) < 0) unreachable()
  return start
}
