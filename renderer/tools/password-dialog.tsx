import { useId, useRef, useState, type FormEvent } from 'react'
import { useAtomValue } from 'jotai'
import css from './row-settings.module.css'
import fields from './fields.module.css'
import { startRows } from '../state/batch.ts'
import { opensWith, readPdf } from '../state/read-pdf.ts'
import { changeRow, rowAtom } from '../state/rows.ts'
import { Sheet } from '../ui/sheet.tsx'

interface Props {
  readonly id: string
  readonly onClose: () => void
}

/** Asks for the password that opens one file, tries it here where the file still is, and starts the file again if it failed for want of it. */
export function PasswordDialog({ id, onClose }: Props) {
  const { name, file, options, page, status } = useAtomValue(rowAtom(id))
  const [password, setPassword] = useState('')
  const hasFailed = status.at === 'failed'
  const [isWrong, setWrong] = useState(hasFailed && status.error.code === 'pdf.wrong-password')
  const [isTrying, setTrying] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const [inputId, alertId] = [useId(), useId()]
  const open = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (password === '' || isTrying) return
    setTrying(true)
    const isRefused = file !== undefined && (await opensWith(file, password)) === false
    setTrying(false)
    setWrong(isRefused)
    if (isRefused) {
      input.current?.select()
      return
    }
    changeRow(id, { options: { ...options, password } })
    void readPdf(id)
    if (hasFailed) startRows(page, [id])
    onClose()
  }
  return (
    <Sheet title="输入打开密码" note={name} onClose={onClose}>
      <form onSubmit={(event) => void open(event)}>
        <div className={fields['field']}>
          <label htmlFor={inputId}>打开密码</label>
          <input
            ref={input}
            id={inputId}
            className={fields['select']}
            type="password"
            autoComplete="new-password"
            autoFocus
            maxLength={127}
            aria-invalid={isWrong}
            aria-describedby={alertId}
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </div>
        <p id={alertId} role="alert" className={css['wrong']}>
          {isWrong ? '密码不正确，请重新输入。' : ''}
        </p>
        <div className={css['buttons']}>
          <button type="button" onClick={onClose}>
            取消
          </button>
          <button type="submit" className={css['primary']} disabled={password === ''}>
            {isTrying ? '正在验证…' : hasFailed ? '继续转换' : '确定'}
          </button>
        </div>
      </form>
    </Sheet>
  )
}
