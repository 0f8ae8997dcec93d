/*
 * The discrete cosine transform of 8 samples (type II) by the flow graph of Loeffler, Ligtenberg and Moschytz (1989): 12 multiplications. What comes
 * out is √8 times the orthonormal transform, so a square of 8 × 8 there and back is 64 times what it was.
 */
const C2 = 0.541196100146197
const C2_LESS = 0.765366864730179
const C2_MORE = 1.847759065022573
const ODD = 1.175875602419359
const [K0, K1, K2, K3] = [0.298631336475, 2.053119869251, 3.072711026531, 1.501321110217] as const
const [Z1, Z2, Z3, Z4] = [-0.899976223136, -2.562915447742, -1.961570560807, -0.390180644033] as const

/** Samples or frequencies, and where a line of eight lies among them. */
type Line = Float32Array | Float64Array

/** Eight samples at `from`, `step` apart, to eight frequencies at `to`, `toStep` apart. */
export function forward8(samples: Line, from: number, step: number, out: Line, to: number, toStep: number): void {
  const s0 = samples[from] ?? 0
  const s1 = samples[from + step] ?? 0
  const s2 = samples[from + 2 * step] ?? 0
  const s3 = samples[from + 3 * step] ?? 0
  const s4 = samples[from + 4 * step] ?? 0
  const s5 = samples[from + 5 * step] ?? 0
  const s6 = samples[from + 6 * step] ?? 0
  const s7 = samples[from + 7 * step] ?? 0
  const a0 = s0 + s7
  const a1 = s1 + s6
  const a2 = s2 + s5
  const a3 = s3 + s4
  const b0 = a0 + a3
  const b1 = a1 + a2
  const b2 = a1 - a2
  const b3 = a0 - a3
  const c = (b2 + b3) * C2
  out[to] = b0 + b1
  out[to + 4 * toStep] = b0 - b1
  out[to + 2 * toStep] = c + b3 * C2_LESS
  out[to + 6 * toStep] = c - b2 * C2_MORE
  const d4 = s3 - s4
  const d5 = s2 - s5
  const d6 = s1 - s6
  const d7 = s0 - s7
  const z5 = (d4 + d6 + d5 + d7) * ODD
  const z1 = (d4 + d7) * Z1
  const z2 = (d5 + d6) * Z2
  const z3 = (d4 + d6) * Z3 + z5
  const z4 = (d5 + d7) * Z4 + z5
  out[to + 7 * toStep] = d4 * K0 + z1 + z3
  out[to + 5 * toStep] = d5 * K1 + z2 + z4
  out[to + 3 * toStep] = d6 * K2 + z2 + z3
  out[to + toStep] = d7 * K3 + z1 + z4
}

/** Eight frequencies at `from`, `step` apart, to samples, added to what is at `to`, `toStep` apart. */
export function addInverse8(frequencies: Line, from: number, step: number, out: Line, to: number, toStep: number): void {
  const f0 = frequencies[from] ?? 0
  const f1 = frequencies[from + step] ?? 0
  const f2 = frequencies[from + 2 * step] ?? 0
  const f3 = frequencies[from + 3 * step] ?? 0
  const f4 = frequencies[from + 4 * step] ?? 0
  const f5 = frequencies[from + 5 * step] ?? 0
  const f6 = frequencies[from + 6 * step] ?? 0
  const f7 = frequencies[from + 7 * step] ?? 0
  const c = (f2 + f6) * C2
  const e2 = c - f6 * C2_MORE
  const e3 = c + f2 * C2_LESS
  const e0 = f0 + f4
  const e1 = f0 - f4
  const z5 = (f7 + f3 + f5 + f1) * ODD
  const z1 = (f7 + f1) * Z1
  const z2 = (f5 + f3) * Z2
  const z3 = (f7 + f3) * Z3 + z5
  const z4 = (f5 + f1) * Z4 + z5
  const o0 = f7 * K0 + z1 + z3
  const o1 = f5 * K1 + z2 + z4
  const o2 = f3 * K2 + z2 + z3
  const o3 = f1 * K3 + z1 + z4
  out[to] = (out[to] ?? 0) + e0 + e3 + o3
  out[to + 7 * toStep] = (out[to + 7 * toStep] ?? 0) + e0 + e3 - o3
  out[to + toStep] = (out[to + toStep] ?? 0) + e1 + e2 + o2
  out[to + 6 * toStep] = (out[to + 6 * toStep] ?? 0) + e1 + e2 - o2
  out[to + 2 * toStep] = (out[to + 2 * toStep] ?? 0) + e1 - e2 + o1
  out[to + 5 * toStep] = (out[to + 5 * toStep] ?? 0) + e1 - e2 - o1
  out[to + 3 * toStep] = (out[to + 3 * toStep] ?? 0) + e0 - e3 + o0
  out[to + 4 * toStep] = (out[to + 4 * toStep] ?? 0) + e0 - e3 - o0
}
