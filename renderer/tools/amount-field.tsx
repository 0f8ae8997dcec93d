import { useId, useState } from 'react'
import css from './amount-field.module.css'
import { amountOf } from './amount.ts'
import fields from './fields.module.css'
import { Hint, type FieldProps, type ViewOf } from './field-parts.tsx'

/** How strongly something works: left to the tool by a switch, or slid and typed; whoever slides has switched. */
export function AmountField({ label, hint, view: { cases }, value, onChange }: FieldProps<ViewOf<'variant'>>) {
  const id = useId()
  const amount = amountOf(cases, value)
  // What was set is there again after a look at what the tool would do.
  const [kept, setKept] = useState<number>()
  const [typed, setTyped] = useState<string>()
  if (!amount) return null
  const { isAuto, view } = amount
  const shown = isAuto ? (kept ?? amount.value) : amount.value
  const set = (next: number): void => onChange(amount.at(next))
  const isWrong = typed !== undefined && typed.trim() !== '' && !(Number(typed) >= view.min && Number(typed) <= view.max)
  const type = (text: string): void => {
    setTyped(text)
    const next = Math.round(Number(text))
    if (text.trim() !== '' && next >= view.min && next <= view.max) set(next)
  }
  return (
    <div className={css['field']} role="group" aria-label={label}>
      <div className={css['head']}>
        <label htmlFor={id}>{label}</label>
        <label className={css['auto']}>
          自动
          <input
            className={fields['switch']}
            type="checkbox"
            role="switch"
            aria-label={`自动${label}`}
            checked={isAuto}
            onChange={({ target }) => {
              setKept(amount.value)
              onChange(target.checked ? amount.automatic : amount.at(shown))
            }}
          />
        </label>
      </div>
      <Hint id={`${id}-hint`} text={hint} />
      <div className={css['row']} data-auto={isAuto || undefined}>
        <input
          id={id}
          type="range"
          min={view.min}
          max={view.max}
          step={view.step}
          value={shown}
          aria-valuetext={isAuto ? '自动' : `${shown}${view.unit}`}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          onChange={({ target }) => set(Number(target.value))}
        />
        <span className={css['number']} data-wrong={isWrong || undefined}>
          <input
            inputMode="numeric"
            autoComplete="off"
            aria-label={`${label}数值`}
            placeholder="自动"
            aria-invalid={isWrong}
            value={typed ?? (isAuto ? '' : String(shown))}
            onChange={({ target }) => type(target.value)}
            onBlur={() => setTyped(undefined)}
          />
          {!isAuto && view.unit}
        </span>
      </div>
    </div>
  )
}
