import { useCallback, useEffect, useState } from 'react'
import css from './invoice.module.css'
import { InvoiceForm } from './invoice-form.tsx'
import { transport } from '../platform/http.ts'
import { closeDialog } from '../state/dialogs.ts'
import { failureText } from '../text.ts'
import { Modal } from '../ui/modal.tsx'
import { paidOrders } from '#shared/api/orders'
import { CONTROL_MS, send } from '#shared/api/send'
import { isPlanCode, plans } from '#shared/plans'
import type { z } from 'zod/mini'

/** One of the caller's paid orders. */
export type PaidOrder = z.infer<typeof paidOrders.reply>[number]

type Orders =
  | { readonly at: 'loading' }
  | { readonly at: 'failed'; readonly text: string }
  | { readonly at: 'here'; readonly orders: readonly PaidOrder[] }

const states = { submitted: '已提交', issued: '已开具', rejected: '已驳回' } as const

/** The caller's orders with what became of their invoices, and the way to ask for one. */
export function Invoice() {
  const [orders, setOrders] = useState<Orders>({ at: 'loading' })
  const load = useCallback(
    () =>
      send(transport, paidOrders, undefined, { deadlineMs: CONTROL_MS }).then(
        (found) => setOrders({ at: 'here', orders: found }),
        (thrown) => setOrders({ at: 'failed', text: failureText(thrown) }),
      ),
    [],
  )
  useEffect(() => void load(), [load])
  return (
    <Modal title="申请开票" widthPx={480} onClose={closeDialog}>
      {orders.at === 'loading' && <p className={css['plain']}>加载中…</p>}
      {orders.at === 'failed' && (
        <p className={css['plain']} role="alert">
          {orders.text}
          <button type="button" onClick={() => void load()}>
            重试
          </button>
        </p>
      )}
      {orders.at === 'here' && <Choice orders={orders.orders} onAsked={load} />}
    </Modal>
  )
}

function Choice({ orders, onAsked }: { orders: readonly PaidOrder[]; onAsked: () => Promise<void> }) {
  const [chosen, setChosen] = useState<string>()
  const [said, setSaid] = useState('')
  if (orders.length === 0) return <p className={css['plain']}>还没有可开票的订单。付款后，订单会显示在这里。</p>
  const open = orders.filter(isOpen)
  const order = open.find(({ orderId }) => orderId === chosen) ?? open[0]
  return (
    <>
      <fieldset className={css['orders']}>
        <legend>选择订单</legend>
        {orders.map((one) => (
          <label key={one.orderId}>
            <input type="radio" name="order" disabled={!isOpen(one)} checked={one === order} onChange={() => setChosen(one.orderId)} />
            <span>
              {isPlanCode(one.plan) ? plans[one.plan].label : one.plan} · ¥{one.amount.toFixed(2)}
              <small>
                {dayOf(one.paidAt)} · {one.orderId}
              </small>
            </span>
            {one.invoice && <b data-state={one.invoice}>{states[one.invoice]}</b>}
          </label>
        ))}
      </fieldset>
      <p className={css['said']} role="status">
        {said}
      </p>
      {order && (
        <InvoiceForm
          key={order.orderId}
          orderId={order.orderId}
          onAsked={() => {
            setSaid('开票申请已提交，预计 1–3 个工作日发送到邮箱。')
            return onAsked()
          }}
        />
      )}
    </>
  )
}

/** What was rejected may be asked for again. */
const isOpen = ({ invoice }: PaidOrder): boolean => invoice === undefined || invoice === 'rejected'

/** The day of a moment in China, where the orders are. */
const dayOf = (moment: string): string => new Date(moment).toLocaleDateString('zh-CN', { timeZone: 'Asia/Shanghai' })
