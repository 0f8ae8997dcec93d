import { useState, type FormEvent } from 'react'
import { signIn } from './operator.ts'
import css from './sign-in.module.css'
import { failureText } from '../text.ts'

/** Asks an operator for name, password and one-time password. */
export function SignIn({ note }: { note: string }) {
  const [text, setText] = useState(note)
  const [isSending, setSending] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    if (isSending) return
    const given = new FormData(event.currentTarget)
    const read = (name: string): string => String(given.get(name) ?? '')
    if (['name', 'password', 'code'].some((name) => read(name).trim() === '')) {
      setText('请填写账号、密码和动态口令。')
      return
    }
    setSending(true)
    setText('')
    try {
      await signIn(read('name').trim(), read('password'), read('code').replaceAll(' ', ''))
    } catch (thrown) {
      setText(failureText(thrown))
      setSending(false)
    }
  }
  return (
    <main className={css['page']}>
      <form className={css['card']} noValidate onSubmit={(event) => void submit(event)}>
        <h1>运营登录</h1>
        <label>
          账号
          <input name="name" autoComplete="username" maxLength={60} required />
        </label>
        <label>
          密码
          <input name="password" type="password" autoComplete="current-password" maxLength={200} required />
        </label>
        <label>
          动态口令
          <input name="code" inputMode="numeric" autoComplete="one-time-code" maxLength={10} required />
        </label>
        <p role="alert">{text}</p>
        <button type="submit" aria-disabled={isSending}>
          {isSending ? '正在登录…' : '登录'}
        </button>
      </form>
    </main>
  )
}
