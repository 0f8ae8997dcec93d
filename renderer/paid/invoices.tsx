import { useCallback, useEffect, useState } from 'react'
import type { z } from 'zod/mini'
import { ask } from './operator.ts'
import css from './paid.module.css'
import { failureText } from '../text.ts'
import { listInvoices, settleInvoice, type invoiceView } from '#shared/api/operators'

type InvoiceView = z.infer<typeof invoiceView>

const states: Readonly<Record<InvoiceView['state'], string>> = { submitted: '待处理', issued: '已开具', rejected: '已驳回' }

/** The invoices people asked for, to be issued or refused. */
export function Invoices() {
  const [invoices, setInvoices] = useState<readonly InvoiceView[]>()
  const [failure, setFailure] = useState('')
  const tell = (thrown: unknown): void => setFailure(failureText(thrown))
  const load = useCallback(() => ask(listInvoices, undefined).then(setInvoices, tell), [])
  useEffect(() => void load(), [load])
  const settle = async (id: string, state: 'issued' | 'rejected'): Promise<void> => {
    setFailure('')
    await ask(settleInvoice, { state }, { id }).then(load, tell)
  }
  return (
    <>
      {failure !== '' && <p role="alert">{failure}</p>}
      {!invoices && failure === '' && <p>加载中…</p>}
      {invoices?.length === 0 && <p>还没有人申请开票。</p>}
      {invoices && invoices.length > 0 && (
        // Scrolled sideways on a phone, also by keyboard.
        <div className={css['table']} role="region" aria-label="开票申请" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">申请时间</th>
                <th scope="col">抬头</th>
                <th scope="col">税号</th>
                <th scope="col">邮箱</th>
                <th scope="col">金额（元）</th>
                <th scope="col">订单号</th>
                <th scope="col">状态</th>
                <th scope="col">操作</th>
              </tr>
            </thead>
            <tbody>
              {invoices.map((invoice) => (
                <InvoiceRow key={invoice.id} invoice={invoice} onSettle={(state) => void settle(invoice.id, state)} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}

function InvoiceRow({ invoice, onSettle }: { invoice: InvoiceView; onSettle: (state: 'issued' | 'rejected') => void }) {
  const { kind, company, taxId, email, amount, orderId, state, askedAt } = invoice
  return (
    <tr>
      <td>{new Date(askedAt).toLocaleString('zh-CN', { timeZone: 'Asia/Shanghai', hour12: false })}</td>
      <td>
        {company}
        <small>{kind === 'company' ? '企业' : '个人'}</small>
      </td>
      <td>{taxId}</td>
      <td>{email}</td>
      <td>{amount.toFixed(2)}</td>
      <td>{orderId}</td>
      <td data-state={state}>{states[state]}</td>
      <td>
        {state === 'submitted' && (
          <>
            <button type="button" aria-label={`已开具 ${company}`} onClick={() => onSettle('issued')}>
              已开具
            </button>
            <button type="button" aria-label={`驳回 ${company}`} onClick={() => onSettle('rejected')}>
              驳回
            </button>
          </>
        )}
      </td>
    </tr>
  )
}
