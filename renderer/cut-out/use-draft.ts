import { useMemo, useState } from 'react'
import { lookOf, strokesOf, type Look } from './look.ts'
import { historyOf, strokesIn, type StrokeHistory } from './stroke-history.ts'
import type { Scene } from './compositor.ts'
import type { Options } from '../state/settings.ts'

interface Edit {
  readonly id: string
  readonly look?: Look
  readonly history?: StrokeHistory
}

export interface Draft {
  readonly look: Look
  readonly history: StrokeHistory
  readonly scene: Scene
  readonly isChanged: boolean
  readonly setLook: (look: Look) => void
  readonly setHistory: (history: StrokeHistory) => void
  /** Back to a look, without strokes. */
  readonly reset: (first: Look) => void
}

/** What was changed of one file and is not kept yet. */
export function useDraft(id: string, options: Options): Draft {
  const [edit, setEdit] = useState<Edit>({ id })
  const mine = edit.id === id ? edit : { id }
  const kept = useMemo(() => ({ look: lookOf(options), history: historyOf(strokesOf(options)) }), [options])
  const look = mine.look ?? kept.look
  const history = mine.history ?? kept.history
  const strokes = useMemo(() => strokesIn(history), [history])
  const scene = useMemo((): Scene => ({ look, strokes }), [look, strokes])
  return {
    look,
    history,
    scene,
    isChanged: JSON.stringify(scene) !== JSON.stringify({ look: kept.look, strokes: strokesIn(kept.history) }),
    setLook: (changed) => setEdit({ ...mine, look: changed }),
    setHistory: (changed) => setEdit({ ...mine, history: changed }),
    reset: (first) => setEdit({ id, look: first, history: historyOf([]) }),
  }
}
