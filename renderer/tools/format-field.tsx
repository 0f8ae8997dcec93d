import { ChevronDown } from 'lucide-react'
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { formatAbouts } from './format-abouts.ts'
import { findFormats } from './format-search.ts'
import css from './format-field.module.css'
import { formats, isFormatId, type FormatId } from '#shared/formats'

interface Props {
  readonly label: string
  readonly ids: readonly FormatId[]
  readonly value: string
  readonly onChange: (id: FormatId) => void
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }

const labelOf = (id: string): string => (isFormatId(id) ? formats[id].label : id)

/** One of very many formats: typed for, or walked to with the arrow keys (combobox with a listbox, WAI-ARIA 1.2). */
export function FormatField({ label, ids, value, onChange }: Props) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState('')
  const groups = findFormats(ids, typed)
  const found = groups.flatMap((group) => group.ids)
  const current = found.find((one) => one === active) ?? found.find((one) => one === value) ?? found[0]
  const optionId = (one: FormatId): string => `${id}-${one}`
  useEffect(() => {
    if (isOpen) list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' })
  }, [isOpen, current])
  const open = (): void => {
    setActive(value)
    setOpen(true)
  }
  const close = (): void => {
    setOpen(false)
    setTyped('')
  }
  const choose = (one: FormatId): void => {
    onChange(one)
    close()
    input.current?.focus()
  }
  const press = (event: KeyboardEvent): void => {
    const step = steps[event.key]
    if (step !== undefined) {
      event.preventDefault()
      if (!isOpen) return open()
      const at = current === undefined ? 0 : found.indexOf(current)
      setActive(found[Math.min(found.length - 1, Math.max(0, at + step))] ?? '')
    }
    // Escape would also close a dialog around it.
    if ((event.key === 'Escape' || event.key === 'Enter') && isOpen) {
      event.preventDefault()
      if (event.key === 'Enter' && current !== undefined) choose(current)
      else close()
    }
  }
  return (
    <div className={css['field']}>
      <label htmlFor={id}>{label}</label>
      <div className={css['input']}>
        <input
          ref={input}
          id={id}
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={isOpen && current !== undefined ? optionId(current) : undefined}
          autoComplete="off"
          spellCheck={false}
          value={isOpen ? typed : labelOf(value)}
          placeholder={isOpen ? `搜索 ${ids.length} 种格式，如 png、图标` : ''}
          onClick={open}
          onKeyDown={press}
          onBlur={close}
          onChange={({ target }) => {
            setTyped(target.value)
            setActive('')
            setOpen(true)
          }}
        />
        <ChevronDown size={16} aria-hidden />
      </div>
      {/* The pointer goes down on an option before the field loses the focus, which would take the list away. */}
      <div
        ref={list}
        id={`${id}-list`}
        className={css['list']}
        role="listbox"
        aria-label={label}
        hidden={!isOpen}
        onMouseDown={(event) => event.preventDefault()}
      >
        {groups.map((group) => (
          <div key={group.label} role="group" aria-label={group.label}>
            <p aria-hidden>{group.label}</p>
            {group.ids.map((one) => (
              <div
                key={one}
                id={optionId(one)}
                role="option"
                aria-selected={one === value}
                data-active={one === current || undefined}
                onClick={() => choose(one)}
              >
                <b>{formats[one].label}</b>
                <span>{formatAbouts[one]}</span>
              </div>
            ))}
          </div>
        ))}
      </div>
      <p className={isOpen && found.length === 0 ? css['none'] : 'visually-hidden'} aria-live="polite">
        {isOpen && (found.length === 0 ? '没有这种格式' : `${found.length} 种格式`)}
      </p>
    </div>
  )
}
