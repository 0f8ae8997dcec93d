/** For each pixel of a side's part, the sample of a smaller copy before it, the one behind it, and how much that counts. */
export interface Steps {
  readonly from: Int32Array
  readonly next: Int32Array
  readonly share: Float32Array
}

/** Where the pixels `start`..`start + length` of a side, or places between them, lie among the samples of a copy smaller by `step`. */
export function stepsOf(start: number, length: number, samples: number, step: number): Steps {
  const [from, next, share] = [new Int32Array(length), new Int32Array(length), new Float32Array(length)]
  for (let at = 0; at < length; at++) {
    const place = (start + at + 0.5) / step - 0.5
    const first = Math.floor(place)
    from[at] = Math.max(0, Math.min(samples - 1, first))
    next[at] = Math.max(0, Math.min(samples - 1, first + 1))
    share[at] = place - first
  }
  return { from, next, share }
}
