import { useState, type FormEvent } from 'react'
import { ask } from './operator.ts'
import css from './paid.module.css'
import { failureText } from '../text.ts'
import { Modal } from '../ui/modal.tsx'
import { operatorPassword } from '#shared/api/operators'

const fields = [
  { name: 'password', label: '当前密码', type: 'password', autoComplete: 'current-password', maxLength: 200 },
  { name: 'next', label: '新密码', type: 'password', autoComplete: 'new-password', maxLength: 200 },
  { name: 'again', label: '再输一次新密码', type: 'password', autoComplete: 'new-password', maxLength: 200 },
  { name: 'code', label: '动态口令', type: 'text', autoComplete: 'one-time-code', maxLength: 10, inputMode: 'numeric' },
] as const

/** What can be told without asking the server. */
function complaintOf(read: (name: string) => string): string {
  if (fields.some(({ name }) => read(name).trim() === '')) return '请填写当前密码、新密码和动态口令。'
  return read('next') === read('again') ? '' : '两次输入的新密码不一致，请重新输入。'
}

/** Asks an operator for the present password, a new one, and a one-time password that was not used yet. */
export function PasswordDialog({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('')
  const [state, setState] = useState<'asking' | 'sending' | 'done'>('asking')
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    if (state !== 'asking') return
    const given = new FormData(event.currentTarget)
    const read = (name: string): string => String(given.get(name) ?? '')
    const complaint = complaintOf(read)
    setText(complaint)
    if (complaint !== '') return
    setState('sending')
    try {
      await ask(operatorPassword, { password: read('password'), next: read('next'), code: read('code').replaceAll(' ', '') })
      setState('done')
    } catch (thrown) {
      setText(failureText(thrown))
      setState('asking')
    }
  }
  return (
    <Modal title="修改密码" widthPx={416} onClose={onClose}>
      <form className={css['form']} noValidate onSubmit={(event) => void submit(event)}>
        {state === 'done' ? (
          <p role="status">密码已修改，您在别处的登录都已退出。</p>
        ) : (
          <>
            <p>至少 15 个字符，建议由密码管理器生成。动态口令每个只能用一次：请等它换一个再填。</p>
            {fields.map(({ label, ...input }) => (
              <label key={input.name}>
                {label}
                <input {...input} required />
              </label>
            ))}
            <p role="alert">{text}</p>
          </>
        )}
        <div>
          <button type="button" onClick={onClose}>
            {state === 'done' ? '完成' : '取消'}
          </button>
          {state !== 'done' && (
            <button type="submit" data-main aria-disabled={state === 'sending'}>
              {state === 'sending' ? '正在修改…' : '修改密码'}
            </button>
          )}
        </div>
      </form>
    </Modal>
  )
}
