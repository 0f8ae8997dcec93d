import { useId, useState } from 'react'
import { Hint, type FieldProps, type ViewOf } from './field-parts.tsx'
import css from './fields.module.css'

const textOf = (value: unknown): string => (typeof value === 'number' && !Number.isNaN(value) ? String(value) : '')

/** A number with its unit. What is typed stays as it is typed; out of its range it is marked and named on start. */
export function NumberField({ label, hint, placeholder = '不限', view, value, onChange }: FieldProps<ViewOf<'number'>>) {
  const { min, max, unit, optional, presets } = view
  const id = useId()
  const [typed, setTyped] = useState(textOf(value))
  // Changed from elsewhere: a preset, another page's remembered value.
  const text = Number(typed) === value || (typed === '' && value === undefined) ? typed : textOf(value)
  const isWrong = !(optional && value === undefined) && !(typeof value === 'number' && value >= min && value <= max)
  const type = (next: string): void => {
    setTyped(next)
    onChange(next.trim() === '' ? (optional ? undefined : Number.NaN) : Number(next))
  }
  return (
    <div className={css['field']}>
      <label htmlFor={id}>{label}</label>
      <Hint id={`${id}-hint`} text={hint} />
      <div className={css['input']} data-wrong={isWrong || undefined}>
        <input
          id={id}
          // A phone's keys for decimals have no minus.
          inputMode={min < 0 ? 'text' : 'decimal'}
          autoComplete="off"
          value={isWrong && typed !== '' && Number.isNaN(Number(value)) ? typed : text}
          placeholder={optional ? placeholder : ''}
          aria-invalid={isWrong}
          aria-describedby={hint === undefined ? `${id}-range` : `${id}-hint ${id}-range`}
          onChange={({ target }) => type(target.value)}
        />
        <span>{unit}</span>
      </div>
      <p id={`${id}-range`} className={isWrong ? css['wrong'] : 'visually-hidden'}>
        请输入 {min}–{max}
        {unit} 之间的数字
      </p>
      {presets.length > 0 && (
        <div className={css['presets']} role="group" aria-label={`常用${label}`}>
          {presets.map((preset) => (
            <button key={preset} type="button" aria-pressed={preset === value} onClick={() => type(String(preset))}>
              {preset}
              {unit === '%' ? '%' : ` ${unit}`}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
