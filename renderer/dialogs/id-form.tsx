import { useId, useRef, useState, type FormEvent } from 'react'
import css from './form.module.css'
import { failureText } from '../text.ts'

const MOST = 30

interface Props {
  readonly label: string
  readonly placeholder: string
  /** Said when nothing was entered. */
  readonly required: string
  /** Throws AppError. */
  readonly onSubmit: (value: string) => Promise<void>
}

/** One field and the button to sign in by it. What is wrong is said under the field. */
export function IdForm({ label, placeholder, required, onSubmit }: Props) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [value, setValue] = useState('')
  const [message, setMessage] = useState('')
  const [isBusy, setBusy] = useState(false)
  const isBlank = value.trim() === ''
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (isBusy) return
    if (isBlank) {
      setMessage(required)
      field.current?.focus()
      return
    }
    setBusy(true)
    setMessage('')
    try {
      await onSubmit(value.trim())
    } catch (error) {
      setMessage(failureText(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form className={css['form']} noValidate onSubmit={(event) => void submit(event)}>
      <input
        ref={field}
        className={css['field']}
        aria-label={label}
        aria-invalid={message !== ''}
        aria-describedby={id}
        placeholder={placeholder}
        value={value}
        maxLength={MOST}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={({ target }) => {
          setValue(target.value)
          setMessage('')
        }}
        onBlur={() => {
          if (isBlank) setMessage(required)
        }}
      />
      <p id={id} className={css['message']} role="alert">
        {message}
      </p>
      {/* Not `disabled` while it waits: that would drop the focus. */}
      <button type="submit" className={css['main']} aria-disabled={isBusy}>
        {isBusy ? '登录中…' : '登录'}
      </button>
    </form>
  )
}
