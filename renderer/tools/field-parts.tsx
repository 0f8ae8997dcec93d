import css from './fields.module.css'
import type { View } from '#shared/tools/field'

export interface FieldProps<V extends View> {
  readonly label: string
  readonly hint: string | undefined
  readonly placeholder: string | undefined
  readonly view: V
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

export type ViewOf<K extends View['kind']> = Extract<View, { kind: K }>

/** One more line under a label. */
export function Hint({ id, text }: { id: string; text: string | undefined }) {
  return (
    text !== undefined && (
      <p id={id} className={css['hint']}>
        {text}
      </p>
    )
  )
}
