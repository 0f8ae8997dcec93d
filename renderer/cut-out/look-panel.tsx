import { lookFields, type Look } from './look.ts'
import css from './look-panel.module.css'
import { FieldSet, Select } from '../tools/fields.tsx'
import { GroundField } from '../tools/ground-field.tsx'
import { caseOf } from '../tools/summary.ts'
import type { Options } from '../state/settings.ts'
import { SliderBox } from '../ui/slider-box.tsx'
import { cutOut } from '#shared/tools/cut-out'
import { initialOfCase, type Field, type Fields } from '#shared/tools/field'

interface Props {
  readonly page: string
  readonly look: Look
  readonly onChange: (look: Look) => void
  /** The parts of it that are shown. */
  readonly parts: readonly ('background' | 'edges')[]
}

const { feather, shift, decontaminate, trim, margin } = lookFields

/** What stands behind the subject, how its edge is, its shadow, and how much is left around it. */
export function LookPanel({ page, look, onChange, parts }: Props) {
  const set = (changed: Options): void => onChange({ ...look, ...changed })
  const { background, shadow } = cutOut.options
  const hasShadow = cutOut.pages.some((one) => one.path === page && (one.preset?.kind ?? cutOut.options.kind.initial) !== 'person')
  return (
    <div className={css['panel']}>
      {parts.includes('background') && background.view.kind === 'variant' && (
        <GroundField
          label={background.label}
          hint={undefined}
          placeholder={undefined}
          page={page}
          view={background.view}
          value={look.background}
          onChange={(value) => set({ background: value })}
        >
          <Slid
            fields={caseOf(background.view.cases, look.background.by)}
            values={{ ...look.background }}
            onChange={(value) => set({ background: value })}
          />
        </GroundField>
      )}
      {parts.includes('edges') && (
        <>
          <Slid fields={{ feather, shift, decontaminate }} values={look} onChange={set} />
          {hasShadow && shadow.view.kind === 'variant' && (
            <Variant field={shadow} cases={shadow.view.cases} value={look.shadow} onChange={(value) => set({ shadow: value })} />
          )}
          <Slid fields={look.trim ? { trim, margin } : { trim }} values={look} onChange={set} />
        </>
      )}
    </div>
  )
}

interface SlidProps {
  readonly fields: Fields
  readonly values: Options
  readonly onChange: (values: Options) => void
}

/** A set of fields whose numbers are slid, because one looks at the picture meanwhile. */
function Slid({ fields, values, onChange }: SlidProps) {
  return Object.entries(fields).map(([key, field]) => {
    const { label, view } = field
    if (view.kind !== 'number') {
      return <FieldSet key={key} fields={{ [key]: field }} values={values} onChange={onChange} />
    }
    const value = Number(values[key])
    const unit = view.unit === '%' || view.unit === '°' ? view.unit : ` ${view.unit}`
    return (
      <SliderBox
        key={key}
        label={label}
        text={`${value}${unit}`}
        value={value}
        least={view.min}
        most={view.max}
        step={view.step}
        onChange={(next) => onChange({ ...values, [key]: next })}
      />
    )
  })
}

interface VariantProps {
  readonly field: Field<unknown>
  readonly cases: Parameters<typeof caseOf>[0]
  readonly value: { readonly by: string }
  readonly onChange: (value: Options) => void
}

function Variant({ field, cases, value, onChange }: VariantProps) {
  return (
    <>
      <Select
        label={field.label}
        value={value.by}
        choices={Object.entries(cases).map(([name, { label }]) => [name, label])}
        onChange={(name) => onChange(initialOfCase(cases, name))}
      />
      <Slid fields={caseOf(cases, value.by)} values={{ ...value }} onChange={onChange} />
    </>
  )
}
