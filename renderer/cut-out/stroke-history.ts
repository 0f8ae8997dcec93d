import { isWithinLimits, type Stroke } from '#shared/strokes'

/** What was painted, gesture by gesture, and what was taken back of it. */
export interface StrokeHistory {
  readonly gestures: readonly (readonly Stroke[])[]
  readonly undone: readonly (readonly Stroke[])[]
}

/** A history of strokes that were painted before: each can be taken back by itself. */
export const historyOf = (strokes: readonly Stroke[]): StrokeHistory => ({ gestures: strokes.map((stroke) => [stroke]), undone: [] })

export const strokesIn = ({ gestures }: StrokeHistory): readonly Stroke[] => gestures.flat()

/** With one more gesture, after which nothing can be done again; undefined where that is more than a picture may have. */
export function painted(history: StrokeHistory, gesture: readonly Stroke[]): StrokeHistory | undefined {
  if (!isWithinLimits([...strokesIn(history), ...gesture])) return undefined
  return { gestures: [...history.gestures, gesture], undone: [] }
}

export function undo({ gestures, undone }: StrokeHistory): StrokeHistory {
  const last = gestures.at(-1)
  return last ? { gestures: gestures.slice(0, -1), undone: [...undone, last] } : { gestures, undone }
}

export function redo({ gestures, undone }: StrokeHistory): StrokeHistory {
  const last = undone.at(-1)
  return last ? { gestures: [...gestures, last], undone: undone.slice(0, -1) } : { gestures, undone }
}
