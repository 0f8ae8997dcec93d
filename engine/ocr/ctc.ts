/** A character as the recogniser read it. */
export interface ReadCharacter {
  readonly text: string
  /** The middle of where it was read, as a share of the line's length. */
  readonly at: number
  /** 0..1 */
  readonly confidence: number
}

/**
 * Reads a recogniser's answer greedily: at each step the likeliest class, repetitions once, blanks (class 0) left out. `classes` are the texts from
 * class 1 on; `used` is the share of the steps that saw the line, the others padding.
 */
export function decodeCtc(answer: Float32Array, steps: number, classes: readonly string[], used: number): readonly ReadCharacter[] {
  const width = classes.length + 1
  const read: ReadCharacter[] = []
  let former = 0
  let run: { first: number; last: number; best: number } | undefined
  const end = (): void => {
    const text = classes[former - 1]
    if (run && text !== undefined)
      read.push({ text, at: Math.min(1, ((run.first + run.last) / 2 + 0.5) / (steps * used)), confidence: run.best })
    run = undefined
  }
  for (let step = 0; step < steps; step++) {
    const offset = step * width
    let best = 0
    for (let index = 1; index < width; index++) if ((answer[offset + index] ?? 0) > (answer[offset + best] ?? 0)) best = index
    const confidence = answer[offset + best] ?? 0
    if (best === former && run) run = { ...run, last: step, best: Math.max(run.best, confidence) }
    else {
      end()
      former = best
      if (best > 0) run = { first: step, last: step, best: confidence }
    }
  }
  end()
  return read
}

/** How sure a whole line is: the mean of its characters; 0 where there are none. */
export const confidenceOf = (read: readonly ReadCharacter[]): number =>
  read.length === 0 ? 0 : read.reduce((sum, { confidence }) => sum + confidence, 0) / read.length
