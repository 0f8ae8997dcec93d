import { useId } from 'react'
import css from './slider-box.module.css'

interface Props {
  readonly label: string
  readonly value: number
  readonly least: number
  readonly most: number
  readonly step: number
  /** The value as it is read: `12 px`. */
  readonly text: string
  readonly onChange: (value: number) => void
}

/** A number that is found by looking at what it does. */
export function SliderBox({ label, value, least, most, step, text, onChange }: Props) {
  const id = useId()
  return (
    <div className={css['field']}>
      <label htmlFor={id}>
        {label}
        <span>{text}</span>
      </label>
      <input
        id={id}
        type="range"
        min={least}
        max={most}
        step={step}
        value={value}
        aria-valuetext={text}
        onChange={({ target }) => onChange(Number(target.value))}
      />
    </div>
  )
}
