/** Something as it was after each step, and which of these holds: what was taken back is there to be done again. */
export interface Steps<T> {
  readonly all: readonly [T, ...T[]]
  readonly at: number
}

export const stepsFrom = <T>(first: T): Steps<T> => ({ all: [first], at: 0 })

export const current = <T>({ all, at }: Steps<T>): T => all[at] ?? all[0]

/** With one more step, after which nothing can be done again. */
export const stepped = <T>({ all: [first, ...others], at }: Steps<T>, next: T): Steps<T> => ({
  all: [first, ...others.slice(0, at), next],
  at: at + 1,
})

/** One step back; undefined at the first. */
export const back = <T>({ all, at }: Steps<T>): Steps<T> | undefined => (at > 0 ? { all, at: at - 1 } : undefined)

/** The step that was taken back last, again; undefined where there is none. */
export const forward = <T>({ all, at }: Steps<T>): Steps<T> | undefined => (at + 1 < all.length ? { all, at: at + 1 } : undefined)
