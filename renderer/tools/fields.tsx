import { useId, useState } from 'react'
import css from './fields.module.css'
import { caseOf } from './summary.ts'
import type { Options } from '../state/settings.ts'
import { initialOfCase, type Field, type Fields, type View } from '#shared/tools/field'

interface SetProps {
  readonly fields: Fields
  readonly values: Options
  readonly onChange: (values: Options, changedKey: string) => void
}

/** Inputs for a set of fields, each by its kind. */
export function FieldSet({ fields, values, onChange }: SetProps) {
  return Object.entries(fields).map(([key, field]) => (
    <OneField key={key} field={field} value={values[key]} onChange={(value) => onChange({ ...values, [key]: value }, key)} />
  ))
}

interface FieldProps<V extends View> {
  readonly label: string
  readonly hint: string | undefined
  readonly view: V
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

type ViewOf<K extends View['kind']> = Extract<View, { kind: K }>

function OneField({ field, ...rest }: { field: Field<unknown>; value: unknown; onChange: (value: unknown) => void }) {
  const { label, hint, view } = field
  const props = { label, hint, ...rest }
  switch (view.kind) {
    case 'number':
      return <NumberField view={view} {...props} />
    case 'flag':
      return <Flag view={view} {...props} />
    case 'choice':
      return <Choice view={view} {...props} />
    case 'text':
      return <Text view={view} {...props} />
    case 'colour':
      return <Colour view={view} {...props} />
    case 'variant':
      return <Variant view={view} {...props} />
  }
}

const textOf = (value: unknown): string => (typeof value === 'number' && !Number.isNaN(value) ? String(value) : '')

/** A number with its unit. What is typed stays as it is typed; out of its range it is marked and named on start. */
function NumberField({ label, hint, view, value, onChange }: FieldProps<ViewOf<'number'>>) {
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
          inputMode="decimal"
          autoComplete="off"
          value={isWrong && typed !== '' && Number.isNaN(Number(value)) ? typed : text}
          placeholder={optional ? '不限' : ''}
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

function Hint({ id, text }: { id: string; text: string | undefined }) {
  return (
    text !== undefined && (
      <p id={id} className={css['hint']}>
        {text}
      </p>
    )
  )
}

function Flag({ label, hint, value, onChange }: FieldProps<ViewOf<'flag'>>) {
  const id = useId()
  return (
    <div className={css['flag']}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="checkbox"
        role="switch"
        checked={value === true}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={({ target }) => onChange(target.checked)}
      />
      <Hint id={`${id}-hint`} text={hint} />
    </div>
  )
}

function Choice({ label, hint, view: { choices }, value, onChange }: FieldProps<ViewOf<'choice'>>) {
  return (
    <Select
      label={label}
      hint={hint}
      value={String(value)}
      choices={choices.map((one): [string, string] => [one.value, one.label])}
      onChange={onChange}
    />
  )
}

function Text({ label, hint, view: { maxLength, isSecret, placeholder }, value, onChange }: FieldProps<ViewOf<'text'>>) {
  const id = useId()
  return (
    <div className={css['field']}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        className={css['select']}
        type={isSecret ? 'password' : 'text'}
        autoComplete={isSecret ? 'new-password' : 'off'}
        maxLength={maxLength}
        placeholder={placeholder}
        value={String(value)}
        onChange={({ target }) => onChange(target.value)}
      />
      <Hint id={`${id}-hint`} text={hint} />
    </div>
  )
}

function Colour({ label, hint, view: { canBeTransparent, presets }, value, onChange }: FieldProps<ViewOf<'colour'>>) {
  const id = useId()
  const shown = String(value)
  return (
    <div className={css['field']}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="color"
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        value={shown.startsWith('#') ? shown : '#ffffff'}
        onChange={({ target }) => onChange(target.value)}
      />
      <Hint id={`${id}-hint`} text={hint} />
      <div className={css['presets']} role="group" aria-label={`常用${label}`}>
        {[...(canBeTransparent ? ['transparent'] : []), ...presets].map((preset) => (
          <button key={preset} type="button" aria-pressed={preset === shown} onClick={() => onChange(preset)}>
            {preset === 'transparent' ? '透明' : preset}
          </button>
        ))}
      </div>
    </div>
  )
}

/** One of several ways, each with fields of its own. */
function Variant({ label, hint, view: { cases }, value, onChange }: FieldProps<ViewOf<'variant'>>) {
  const values: Options = typeof value === 'object' && value !== null ? { ...value } : {}
  const by = String(values['by'])
  return (
    <>
      <Select
        label={label}
        hint={hint}
        value={by}
        choices={Object.entries(cases).map(([name, one]): [string, string] => [name, one.label])}
        onChange={(name) => onChange(initialOfCase(cases, name))}
      />
      <FieldSet key={by} fields={caseOf(cases, by)} values={values} onChange={onChange} />
    </>
  )
}

interface SelectProps {
  readonly label: string
  readonly hint: string | undefined
  readonly value: string
  readonly choices: readonly (readonly [value: string, label: string])[]
  readonly onChange: (value: string) => void
}

function Select({ label, hint, value, choices, onChange }: SelectProps) {
  const id = useId()
  return (
    <div className={css['field']}>
      <label htmlFor={id}>{label}</label>
      <Hint id={`${id}-hint`} text={hint} />
      <select
        id={id}
        className={css['select']}
        value={value}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={({ target }) => onChange(target.value)}
      >
        {choices.map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </div>
  )
}
