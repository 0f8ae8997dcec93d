import { useId, useState, type FormEvent } from 'react'
import { useAtomValue } from 'jotai'
import css from './row-settings.module.css'
import fields from './fields.module.css'
import { startRows } from '../state/batch.ts'
import { changeRow, rowAtom } from '../state/rows.ts'
import { Sheet } from '../ui/sheet.tsx'

interface Props {
  readonly id: string
  readonly onClose: () => void
}

/** Asks for the password that opens one file, and starts it again with it. */
export function PasswordDialog({ id, onClose }: Props) {
  const { name, options, page, status } = useAtomValue(rowAtom(id))
  const [password, setPassword] = useState('')
  const input = useId()
  const isWrong = status.at === 'failed' && status.error.code === 'pdf.wrong-password'
  const open = (event: FormEvent): void => {
    event.preventDefault()
    changeRow(id, { options: { ...options, password } })
    startRows(page, [id])
    onClose()
  }
  return (
    <Sheet title="输入打开密码" note={name} onClose={onClose}>
      <form onSubmit={open}>
        {isWrong && (
          <p role="alert" className={css['alert']}>
            密码不正确，请重新输入。
          </p>
        )}
        <div className={fields['field']}>
          <label htmlFor={input}>打开密码</label>
          <input
            id={input}
            className={fields['select']}
            type="password"
            autoComplete="new-password"
            autoFocus
            maxLength={127}
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </div>
        <div className={css['buttons']}>
          <button type="button" onClick={onClose}>
            取消
          </button>
          <button type="submit" className={css['primary']} disabled={password === ''}>
            继续转换
          </button>
        </div>
      </form>
    </Sheet>
  )
}
