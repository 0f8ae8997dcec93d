import { useId, useState } from 'react'
import { Hint, type FieldProps, type ViewOf } from './field-parts.tsx'
import css from './colour-field.module.css'
import fieldCss from './fields.module.css'
import { colourNames } from './summary.ts'

const HEX = /^#?[0-9a-f]{6}$/i

/** A colour: named swatches, the system's picker, or its hexadecimal digits. */
export function ColourField({ label, hint, view: { canBeTransparent, presets }, value, onChange }: FieldProps<ViewOf<'colour'>>) {
  const id = useId()
  const shown = String(value)
  const [typed, setTyped] = useState<string | undefined>()
  const offered = [...(canBeTransparent ? ['transparent'] : []), ...presets]
  const isWrong = typed !== undefined && !HEX.test(typed)
  const type = (text: string): void => {
    setTyped(text)
    if (HEX.test(text)) onChange(`#${text.replace('#', '').toLowerCase()}`)
  }
  return (
    <div className={fieldCss['field']}>
      <label htmlFor={id}>{label}</label>
      <Hint id={`${id}-hint`} text={hint} />
      <div className={css['line']}>
        {offered.length > 0 && (
          <div className={css['swatches']} role="group" aria-label={`常用${label}`}>
            {offered.map((preset) => (
              <button key={preset} type="button" aria-pressed={preset === shown} onClick={() => onChange(preset)}>
                <i data-clear={preset === 'transparent' || undefined} style={preset === 'transparent' ? {} : { background: preset }} />
                {colourNames[preset] ?? preset}
              </button>
            ))}
          </div>
        )}
        <div className={css['input']} data-wrong={isWrong || undefined}>
          <input
            type="color"
            aria-label={`${label}：取色`}
            value={shown.startsWith('#') ? shown : '#ffffff'}
            onChange={({ target }) => onChange(target.value)}
          />
          <input
            id={id}
            autoComplete="off"
            spellCheck={false}
            maxLength={7}
            value={typed ?? (shown === 'transparent' ? '' : shown)}
            placeholder="#ffffff"
            aria-invalid={isWrong}
            aria-describedby={hint === undefined ? `${id}-form` : `${id}-hint ${id}-form`}
            onChange={({ target }) => type(target.value)}
            onBlur={() => setTyped(undefined)}
          />
        </div>
      </div>
      <p id={`${id}-form`} className={isWrong ? fieldCss['wrong'] : 'visually-hidden'}>
        请输入 # 和 6 位数字或 a–f 的字母
      </p>
    </div>
  )
}
