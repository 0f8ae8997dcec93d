import { useState } from 'react'
import { current, stepped, stepsFrom, type Steps } from './steps.ts'
import type { Colours } from './colour.worker.ts'
import type { Options } from '../state/settings.ts'
import type { Hint } from '#shared/hints'
import { colourize } from '#shared/tools/colourize'
import type { Field } from '#shared/tools/field'

function checked<T>({ schema, initial }: Field<T>, value: unknown): T {
  const parsed = schema.safeParse(value)
  return parsed.success ? parsed.data : initial
}

/** What of a file's options its editor works on; the initial ones for what does not pass. */
export const coloursIn = (options: Options): Colours => ({
  hints: checked(colourize.options.hints, options['hints']),
  strength: checked(colourize.options.strength, options['strength']),
})

interface Edit {
  readonly id: string
  readonly strength?: Colours['strength']
  readonly steps?: Steps<readonly Hint[]>
}

/** What was changed of one photo and is not kept yet. */
export interface ColourDraft {
  readonly colours: Colours
  readonly steps: Steps<readonly Hint[]>
  readonly isChanged: boolean
  readonly setStrength: (strength: Colours['strength']) => void
  readonly setSteps: (steps: Steps<readonly Hint[]>) => void
  /** No strokes, and a strength as it is at first. */
  readonly reset: () => void
}

export function useColourDraft(id: string, options: Options): ColourDraft {
  const [edit, setEdit] = useState<Edit>({ id })
  const mine: Edit = edit.id === id ? edit : { id }
  const kept = coloursIn(options)
  const steps = mine.steps ?? stepsFrom(kept.hints)
  const colours = { hints: current(steps), strength: mine.strength ?? kept.strength }
  return {
    colours,
    steps,
    isChanged: JSON.stringify(colours) !== JSON.stringify(kept),
    setStrength: (strength) => setEdit({ ...mine, strength }),
    setSteps: (changed) => setEdit({ ...mine, steps: changed }),
    reset: () => setEdit({ id, strength: colourize.options.strength.initial, steps: stepped(steps, []) }),
  }
}
