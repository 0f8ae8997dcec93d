import { useId, useState } from 'react'
import css from './number-box.module.css'

interface Props {
  readonly label: string
  readonly unit: string
  readonly value: number
  readonly least: number
  readonly most: number
  /** `1` for whole numbers. */
  readonly step: number
  readonly onChange: (value: number) => void
}

const STEPS: Readonly<Record<string, number>> = { ArrowUp: 1, ArrowDown: -1 }

/** A number beside a picture: what is typed holds as soon as it makes sense, and the arrow keys step it. */
export function NumberBox({ label, unit, value, least, most, step, onChange }: Props) {
  const id = useId()
  const [typed, setTyped] = useState<string | undefined>()
  const accept = (next: number): void => {
    if (Number.isFinite(next) && next >= least && next <= most) onChange(Number((Math.round(next / step) * step).toFixed(4)))
  }
  const isWrong = typed !== undefined && !(typed.trim() !== '' && Number(typed) >= least && Number(typed) <= most)
  return (
    <div className={css['field']}>
      <label htmlFor={id}>{label}</label>
      <div className={css['input']} data-wrong={isWrong || undefined}>
        <input
          id={id}
          inputMode="decimal"
          autoComplete="off"
          value={typed ?? String(Math.round(value * 10) / 10)}
          aria-invalid={isWrong}
          onChange={({ target }) => {
            setTyped(target.value)
            if (target.value.trim() !== '') accept(Number(target.value))
          }}
          onBlur={() => setTyped(undefined)}
          onKeyDown={(event) => {
            const by = STEPS[event.key]
            if (by === undefined) return
            event.preventDefault()
            setTyped(undefined)
            accept(Math.min(most, Math.max(least, value + by * step * (event.shiftKey ? 10 : 1))))
          }}
        />
        <span>{unit}</span>
      </div>
    </div>
  )
}
