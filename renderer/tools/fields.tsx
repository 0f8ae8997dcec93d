import { useId, useState } from 'react'
import css from './fields.module.css'
import type { Options } from '../state/settings.ts'
import { initialOfCase, type Cases, type Field, type Fields, type View } from '#shared/tools/field'

interface SetProps {
  readonly fields: Fields
  readonly values: Options
  readonly onChange: (values: Options) => void
}

/** Inputs for a set of fields, each by its kind. */
export function FieldSet({ fields, values, onChange }: SetProps) {
  return Object.entries(fields).map(([key, field]) => (
    <OneField key={key} field={field} value={values[key]} onChange={(value) => onChange({ ...values, [key]: value })} />
  ))
}

interface FieldProps<V extends View> {
  readonly label: string
  readonly view: V
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

type ViewOf<K extends View['kind']> = Extract<View, { kind: K }>

function OneField({
  field: { label, view },
  value,
  onChange,
}: {
  field: Field<unknown>
  value: unknown
  onChange: (value: unknown) => void
}) {
  switch (view.kind) {
    case 'number':
      return <NumberField label={label} view={view} value={value} onChange={onChange} />
    case 'flag':
      return <Flag label={label} view={view} value={value} onChange={onChange} />
    case 'choice':
      return <Choice label={label} view={view} value={value} onChange={onChange} />
    case 'text':
      return <Text label={label} view={view} value={value} onChange={onChange} />
    case 'colour':
      return <Colour label={label} view={view} value={value} onChange={onChange} />
    case 'variant':
      return <Variant label={label} view={view} value={value} onChange={onChange} />
  }
}

const textOf = (value: unknown): string => (typeof value === 'number' && !Number.isNaN(value) ? String(value) : '')

/** A number with its unit. What is typed stays as it is typed; out of its range it is marked and named on start. */
function NumberField({ label, view: { min, max, unit, optional, presets }, value, onChange }: FieldProps<ViewOf<'number'>>) {
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
      <div className={css['input']} data-wrong={isWrong || undefined}>
        <input
          id={id}
          inputMode="decimal"
          autoComplete="off"
          value={isWrong && typed !== '' && Number.isNaN(Number(value)) ? typed : text}
          placeholder={optional ? '不限' : ''}
          aria-invalid={isWrong}
          aria-describedby={`${id}-range`}
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

const hints: Readonly<Record<string, string>> = {
  保持像素尺寸: '关闭时，目标过小会自动缩小宽高',
  保留拍摄信息: '关闭时，位置等隐私不会留在图片里',
}

function Flag({ label, value, onChange }: FieldProps<ViewOf<'flag'>>) {
  return (
    <label className={css['flag']}>
      <span>
        {label}
        {hints[label] !== undefined && <small>{hints[label]}</small>}
      </span>
      <input type="checkbox" role="switch" checked={value === true} onChange={({ target }) => onChange(target.checked)} />
    </label>
  )
}

function Choice({ label, view: { choices }, value, onChange }: FieldProps<ViewOf<'choice'>>) {
  return (
    <label className={css['field']}>
      <span>{label}</span>
      <select className={css['select']} value={String(value)} onChange={({ target }) => onChange(target.value)}>
        {choices.map((one) => (
          <option key={one.value} value={one.value}>
            {one.label}
          </option>
        ))}
      </select>
    </label>
  )
}

function Text({ label, view: { maxLength, isSecret, placeholder }, value, onChange }: FieldProps<ViewOf<'text'>>) {
  return (
    <label className={css['field']}>
      <span>{label}</span>
      <input
        className={css['select']}
        type={isSecret ? 'password' : 'text'}
        autoComplete={isSecret ? 'new-password' : 'off'}
        maxLength={maxLength}
        placeholder={placeholder}
        value={String(value)}
        onChange={({ target }) => onChange(target.value)}
      />
    </label>
  )
}

function Colour({ label, view: { canBeTransparent, presets }, value, onChange }: FieldProps<ViewOf<'colour'>>) {
  const shown = String(value)
  return (
    <div className={css['field']}>
      <label>
        <span>{label}</span>
        <input type="color" value={shown.startsWith('#') ? shown : '#ffffff'} onChange={({ target }) => onChange(target.value)} />
      </label>
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
function Variant({ label, view: { cases }, value, onChange }: FieldProps<ViewOf<'variant'>>) {
  const values: Options = typeof value === 'object' && value !== null ? { ...value } : {}
  const by = String(values['by'])
  const fields = caseOf(cases, by)
  return (
    <>
      <label className={css['field']}>
        <span>{label}</span>
        <select className={css['select']} value={by} onChange={({ target }) => onChange(initialOfCase(cases, target.value))}>
          {Object.entries(cases).map(([name, one]) => (
            <option key={name} value={name}>
              {one.label}
            </option>
          ))}
        </select>
      </label>
      <FieldSet key={by} fields={fields} values={values} onChange={onChange} />
    </>
  )
}

const caseOf = (cases: Cases, by: string): Fields => (Object.hasOwn(cases, by) ? (cases[by]?.fields ?? {}) : {})
