import { useId, useRef, useState, type ReactNode } from 'react'
import { ImageIcon, ImagePlus, Pipette } from 'lucide-react'
import { AttachmentField } from './attachment-field.tsx'
import { ColourField } from './colour-field.tsx'
import { Hint, type FieldProps, type ViewOf } from './field-parts.tsx'
import css from './ground-field.module.css'
import { caseOf, colourNames } from './summary.ts'
import type { Options } from '../state/settings.ts'
import { initialOfCase } from '#shared/tools/field'

/** What stands for what is no colour. */
const icons: Readonly<Record<string, ReactNode>> = {
  image: <ImagePlus size={16} aria-hidden />,
  original: <ImageIcon size={16} aria-hidden />,
  own: <Pipette size={16} aria-hidden />,
  keep: <ImageIcon size={16} aria-hidden />,
}

interface Props extends FieldProps<ViewOf<'variant'>> {
  /** Where a picture for it is chosen, for a page whose tool takes one. */
  readonly page: string | undefined
  /** The inputs of the case that holds. */
  readonly children: ReactNode
}

/** A background: its usual colours and its other cases as swatches, and what there is to say of the one chosen. */
export function GroundField({ label, hint, page, view: { cases }, value, onChange, children }: Props) {
  const id = useId()
  const values: Options = typeof value === 'object' && value !== null ? { ...value } : {}
  const by = String(values['by'])
  const shown = String(values['colour'])
  const field = caseOf(cases, 'colour')['colour']
  const presets = field?.view.kind === 'colour' ? field.view.presets : []
  const [isOwn, setOwn] = useState(by === 'colour' && !presets.includes(shown))
  // What was set in a case is there again when one comes back to it.
  const kept = useRef<Record<string, Options>>({})
  const choose = (name: string, change: Options = {}): void => {
    kept.current[by] = values
    onChange({ ...(kept.current[name] ?? initialOfCase(cases, name)), ...change })
  }
  const ofColour = [
    ...presets.map((colour) => ({
      key: colour,
      text: colourNames[colour] ?? colour,
      isChosen: by === 'colour' && !isOwn && shown === colour,
      run: () => {
        setOwn(false)
        choose('colour', { colour })
      },
    })),
    {
      key: 'own',
      text: '自定义',
      isChosen: by === 'colour' && isOwn,
      run: () => {
        setOwn(true)
        choose('colour')
      },
    },
  ]
  const tiles = Object.entries(cases).flatMap(([name, one]) =>
    name === 'colour' ? ofColour : [{ key: name, text: one.label, isChosen: by === name, run: () => choose(name) }],
  )
  return (
    <div className={css['ground']}>
      <p id={id} className={css['label']}>
        {label}
      </p>
      <Hint id={`${id}-hint`} text={hint} />
      <div className={css['tiles']} role="group" aria-labelledby={id}>
        {tiles.map(({ key, text, isChosen, run }) => (
          <button key={key} type="button" aria-pressed={isChosen} onClick={run}>
            <i data-ground={key} style={key.startsWith('#') ? { background: key } : {}}>
              {icons[key]}
            </i>
            {text}
          </button>
        ))}
      </div>
      {by === 'image' && page !== undefined && <AttachmentField page={page} />}
      {by === 'colour' && isOwn && field?.view.kind === 'colour' && (
        <ColourField
          label={field.label}
          hint={undefined}
          placeholder={undefined}
          view={{ ...field.view, presets: [] }}
          value={values['colour']}
          onChange={(colour) => onChange({ ...values, colour })}
        />
      )}
      {by === 'image' ? (
        <details className={css['more']}>
          <summary>位置与模糊</summary>
          <div>{children}</div>
        </details>
      ) : (
        by !== 'colour' && children
      )}
    </div>
  )
}
