import { useId, useState } from 'react'
import { inLines, type Entry, type Line } from './field-lines.ts'
import { FieldSet } from './fields.tsx'
import { FileNameField } from './file-name-field.tsx'
import css from './page-form.module.css'
import { caseOf, isGround, tilesOf } from './summary.ts'
import { afterChange, type Options } from '../state/settings.ts'
import { findPage, startOptions, type ToolPage } from '#shared/tools/index'
import type { Field, Fields } from '#shared/tools/field'

interface Props {
  readonly path: string
  /** The file these are for, where they are one file's. */
  readonly id?: string
  readonly values: Options
  readonly placeholders?: Readonly<Record<string, string>>
  readonly onChange: (values: Options) => void
}

/** A page's form: its one-click sets, its most used options, and the others folded away. */
export function PageForm({ path, ...props }: Props) {
  const found = findPage(path)
  return found && <Form found={found} {...props} />
}

function Form({ found, id, values, placeholders = {}, onChange }: Omit<Props, 'path'> & { readonly found: ToolPage }) {
  const { path } = found.page
  const { open, folded } = partsOf(found, values)
  const starts = startOptions(found)
  const [isFoldUsed] = useState(() => Object.keys(folded).some((key) => values[key] !== starts[key]))
  const set = (next: Options, key: string): void => onChange(afterChange(path, next, [key]))
  return (
    <>
      <Picks found={found} values={values} onChange={onChange} />
      <FieldSet fields={open} values={values} placeholders={placeholders} page={path} onChange={set} />
      {Object.keys(folded).length > 0 && (
        <details className={css['more']} open={isFoldUsed}>
          <summary>更多选项</summary>
          <div className={css['folded']}>
            <FieldSet fields={folded} values={values} placeholders={placeholders} page={path} onChange={set} />
          </div>
        </details>
      )}
      {found.tool.takes === 'each' && <FileNameField path={path} id={id} values={values} onChange={onChange} />}
    </>
  )
}

function Picks({ found: { page }, values, onChange }: { found: ToolPage; values: Options; onChange: (values: Options) => void }) {
  const id = useId()
  const { picks = [] } = page
  if (picks.length === 0) return null
  return (
    <div role="group" aria-labelledby={id}>
      <p id={id} className={css['label']}>
        常用规格
      </p>
      <div className={css['picks']}>
        {picks.map(({ label, values: picked }) => (
          <button
            key={label}
            type="button"
            aria-pressed={Object.entries(picked).every(([key, value]) => values[key] === value)}
            onClick={() => onChange(afterChange(page.path, { ...values, ...picked }, Object.keys(picked)))}
          >
            {label}
          </button>
        ))}
      </div>
    </div>
  )
}

/** What an open form may be high, counted in inputs of 30 pixels. */
const OPEN_HEIGHT = 7
/** A fold that saves no more than this is not worth a click. */
const SAVES_NOTHING = 2

/** As many tiles of a background stand beside each other. */
const TILES_A_LINE = 5

/** The least a variant may be; one with fields from the start is rather high. */
function heightOfVariant({ view, initial }: Field<unknown>): number {
  if (view.kind !== 'variant') return 0
  if (isGround(view.cases)) return tilesOf(view.cases) > TILES_A_LINE ? 4 : 3
  const by = typeof initial === 'object' && initial !== null && 'by' in initial ? String(initial.by) : ''
  return Object.keys(caseOf(view.cases, by)).length === 0 ? 2 : OPEN_HEIGHT
}

/** About as high as a line of the form is: a switch one, an input with its label two, presets another. */
function heightOf([[, field]]: Line): number {
  const { view, hint } = field
  if (view.kind === 'flag') return hint === undefined ? 1 : 1.5
  if (view.kind === 'variant') return heightOfVariant(field)
  return view.kind === 'colour' || (view.kind === 'number' && view.presets.length > 0) ? 3 : 2
}

const fieldsIn = (lines: readonly Line[]): Fields => Object.fromEntries(lines.flatMap((line) => line.filter((one) => one !== undefined)))

/** A field without the choices that a page leaves out. */
function without(field: Field<unknown>, gone: readonly string[] = []): Field<unknown> {
  const { view } = field
  if (view.kind !== 'choice' || gone.length === 0) return field
  return { ...field, view: { ...view, choices: view.choices.filter(({ value }) => !gone.includes(value)) } }
}

/** The fields a page shows under its values: the first of them open, the others folded away where they are many. */
function partsOf({ tool, page }: ToolPage, values: Options): { open: Fields; folded: Fields } {
  const keys = (page.shows ?? Object.keys(tool.options)).filter((key) => tool.matters?.(key, values) ?? true)
  const lines = inLines(
    keys.flatMap((key): Entry[] => {
      const field = tool.options[key]
      return field ? [[key, without(field, page.leavesOut?.[key])]] : []
    }),
  )
  const heights = lines.map(heightOf)
  const ends = heights.map((_, at) => heights.slice(0, at + 1).reduce((sum, height) => sum + height, (page.picks ?? []).length / 4))
  const isCalm = (ends.at(-1) ?? 0) <= OPEN_HEIGHT + SAVES_NOTHING
  const count = isCalm ? lines.length : Math.max(1, ends.filter((end) => end <= OPEN_HEIGHT).length)
  return { open: fieldsIn(lines.slice(0, count)), folded: fieldsIn(lines.slice(count)) }
}
