import { useId } from 'react'
import { inLines, type Entry } from './field-lines.ts'
import { Hint, type FieldProps, type ViewOf } from './field-parts.tsx'
import css from './fields.module.css'
import { NumberField } from './number-field.tsx'
import { caseOf, isGround } from './summary.ts'
import type { Options } from '../state/settings.ts'
import { arriving } from '../ui/arriving.tsx'
import { isFormatId, type FormatId } from '#shared/formats'
import { initialOfCase, type Cases, type Field, type Fields } from '#shared/tools/field'
import { findPage } from '#shared/tools/index'

// For a few tools only: not in the way of the first page.
const FormatField = arriving(() => import('./format-field.tsx').then((module) => module.FormatField), {
  loading: <div className={css['coming']} />,
})
const GroundField = arriving(() => import('./ground-field.tsx').then((module) => module.GroundField), {
  loading: <div className={css['coming']} />,
})

const ColourField = arriving(() => import('./colour-field.tsx').then((module) => module.ColourField), {
  loading: <div className={css['amount']} />,
})
const AttachmentField = arriving(() => import('./attachment-field.tsx').then((module) => module.AttachmentField))
const AmountField = arriving(() => import('./amount-field.tsx').then((module) => module.AmountField), {
  loading: <div className={css['amount']} />,
})

interface SetProps {
  readonly fields: Fields
  readonly values: Options
  /** What an empty field stands for, where that is known. */
  readonly placeholders?: Readonly<Record<string, string>>
  /** Where its page's second file is chosen, for a field that calls for one. */
  readonly page?: string | undefined
  readonly onChange: (values: Options, changedKey: string) => void
}

/** Inputs for a set of fields, each by its kind; short numbers of one unit stand side by side. */
export function FieldSet({ fields, values, placeholders = {}, page, onChange }: SetProps) {
  const one = ([key, field]: Entry) => (
    <OneField
      key={key}
      name={key}
      field={field}
      value={values[key]}
      placeholder={placeholders[key]}
      page={page}
      onChange={(value) => onChange({ ...values, [key]: value }, key)}
    />
  )
  return inLines(Object.entries(fields)).map(([first, second]) =>
    second === undefined ? (
      one(first)
    ) : (
      <div key={first[0]} className={css['line']}>
        {one(first)}
        {one(second)}
      </div>
    ),
  )
}

interface OneProps {
  readonly name: string
  readonly field: Field<unknown>
  readonly value: unknown
  readonly placeholder: string | undefined
  readonly page: string | undefined
  readonly onChange: (value: unknown) => void
}

function OneField({ name, field, page, ...rest }: OneProps) {
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
      return <ColourField view={view} {...props} />
    case 'strokes':
    case 'hints':
      return null
    case 'variant':
      if (view.isSlid) return <AmountField view={view} {...props} />
      return isGround(view.cases) ? (
        <GroundField view={view} page={page} {...props}>
          <CaseFields cases={view.cases} value={props.value} onChange={props.onChange} />
        </GroundField>
      ) : (
        <Variant view={view} attachedOn={findPage(page ?? '')?.tool.attachment?.option === name ? page : undefined} {...props} />
      )
  }
}

function Flag({ label, hint, value, onChange }: FieldProps<ViewOf<'flag'>>) {
  const id = useId()
  return (
    <div className={css['flag']}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className={css['switch']}
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

/** More choices than this are searched rather than scrolled through. */
const SEARCHED_FROM = 12

function Choice({ label, hint, view: { choices }, value, onChange }: FieldProps<ViewOf<'choice'>>) {
  const ids = choices.flatMap((one): FormatId[] => (isFormatId(one.value) ? [one.value] : []))
  if (ids.length > SEARCHED_FROM && ids.length === choices.length) {
    return <FormatField label={label} ids={ids} value={String(value)} onChange={onChange} />
  }
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
      <Hint id={`${id}-hint`} text={hint} />
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
    </div>
  )
}

interface VariantProps extends FieldProps<ViewOf<'variant'>> {
  /** The page whose second file one of the ways calls for. */
  readonly attachedOn: string | undefined
}

/** One of several ways, each with fields of its own. */
function Variant({ label, hint, view: { cases }, attachedOn, value, onChange }: VariantProps) {
  const by = String(valuesOf(value)['by'])
  return (
    <>
      <Select
        label={label}
        hint={hint}
        value={by}
        choices={Object.entries(cases).map(([name, one]): [string, string] => [name, one.label])}
        onChange={(name) => onChange(initialOfCase(cases, name))}
      />
      {attachedOn !== undefined && findPage(attachedOn)?.tool.attachment?.by === by && <AttachmentField page={attachedOn} />}
      <CaseFields cases={cases} value={value} onChange={onChange} />
    </>
  )
}

const valuesOf = (value: unknown): Options => (typeof value === 'object' && value !== null ? { ...value } : {})

/** The fields of the case that holds. */
function CaseFields({ cases, value, onChange }: { cases: Cases; value: unknown; onChange: (value: unknown) => void }) {
  const values = valuesOf(value)
  const by = String(values['by'])
  return <FieldSet key={by} fields={caseOf(cases, by)} values={values} onChange={onChange} />
}

interface SelectProps {
  readonly label: string
  readonly hint?: string | undefined
  readonly value: string
  readonly choices: readonly (readonly [value: string, label: string])[]
  readonly onChange: (value: string) => void
}

/** One of a few values, under a label. */
export function Select({ label, hint, value, choices, onChange }: SelectProps) {
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
