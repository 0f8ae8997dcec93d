import { useEffect, useState } from 'react'
import { useAtomValue } from 'jotai'
import { Invoices } from './invoices.tsx'
import { Jobs } from './jobs.tsx'
import { operatorAtom, readOperator, signOut } from './operator.ts'
import css from './paid.module.css'
import { PasswordDialog } from './password-dialog.tsx'
import { Report } from './report.tsx'
import { SignIn } from './sign-in.tsx'

const views = [
  { id: 'orders', label: '订单', View: Report },
  { id: 'invoices', label: '开票申请', View: Invoices },
  { id: 'jobs', label: '任务', View: Jobs },
] as const

/** The operators' page: paid orders by channel and day, invoices asked for, and how jobs go. */
export function Paid() {
  const operator = useAtomValue(operatorAtom)
  const [viewId, setView] = useState<(typeof views)[number]['id']>('orders')
  const [isChanging, setChanging] = useState(false)
  useEffect(() => {
    document.title = '订单报表 - 轻图'
    void readOperator()
  }, [])
  if (operator.at === 'unknown') return <main className={css['page']}>加载中…</main>
  if (operator.at === 'out') return <SignIn note={operator.note} />
  return (
    <>
      <header className={css['top']}>
        <img src="/icon.svg" width="28" height="28" alt="" />
        <h1>订单报表</h1>
        <nav aria-label="报表">
          {views.map(({ id, label }) => (
            <button key={id} type="button" aria-current={id === viewId ? 'page' : undefined} onClick={() => setView(id)}>
              {label}
            </button>
          ))}
        </nav>
        <span>{operator.name}</span>
        <button type="button" onClick={() => setChanging(true)}>
          修改密码
        </button>
        <button type="button" onClick={() => void signOut()}>
          退出
        </button>
      </header>
      {isChanging && <PasswordDialog onClose={() => setChanging(false)} />}
      <main className={css['page']}>{views.map(({ id, View }) => id === viewId && <View key={id} />)}</main>
    </>
  )
}
