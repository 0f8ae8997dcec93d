import { useEffect, useRef, useState } from 'react'
import { ask } from './operator.ts'
import { OrderRow, type ShownOrder } from './order-row.tsx'
import css from './paid.module.css'
import { RefundDialog } from './refund-dialog.tsx'
import { channels, csvOf, dateNyr, dayLabel, sumOf, type Channel } from './paid-orders.ts'
import { saveText } from '../platform/save.ts'
import { failureText } from '../text.ts'
import { paidQuery, revealOrder } from '#shared/api/operators'

/** The paid orders of a channel on a day, and what they come to. */
export function Report() {
  const [channel, setChannel] = useState<Channel>('biying')
  const [daysBack, setDaysBack] = useState(0)
  const { day, orders, failure, load, reveal } = usePaidOrders(daysBack)
  const [refunding, setRefunding] = useState<string>()
  const choose = (next: Channel): void => {
    setChannel(next)
    setDaysBack(0)
  }
  const last = channels.find(({ id }) => id === channel)?.daysBack ?? 0
  const shown = orders?.filter((order) => order.channel === channel)
  const refund = async (at: number): Promise<void> => setRefunding(await reveal(at))
  return (
    <>
      <div className={css['bar']}>
        <div role="group" aria-label="渠道" className={css['switch']}>
          {channels.map(({ id, label }) => (
            <button key={id} type="button" aria-pressed={id === channel} onClick={() => choose(id)}>
              {label}
            </button>
          ))}
        </div>
        <label>
          日期
          <select value={daysBack} onChange={({ target }) => setDaysBack(Number(target.value))}>
            {Array.from({ length: last + 1 }, (_, back) => (
              <option key={back} value={back}>
                {dayLabel(back)}
              </option>
            ))}
          </select>
        </label>
        <button type="button" onClick={() => void load()}>
          刷新
        </button>
        <button
          type="button"
          disabled={!shown?.length}
          onClick={() => shown && saveText(tableOf(shown), `订单-${channel}-${day.replaceAll('/', '-')}.csv`)}
        >
          导出 CSV
        </button>
        <p role="status">{shown ? `共 ${shown.length} 单，合计 ¥${sumOf(shown)}` : ''}</p>
      </div>
      {failure !== '' && <p role="alert">{failure}</p>}
      {!shown && failure === '' && <p>加载中…</p>}
      {shown?.length === 0 && <p>{day} 没有已付款的订单。</p>}
      {shown && shown.length > 0 && (
        // Scrolled sideways on a phone, also by keyboard.
        <div className={css['table']} role="region" aria-label={`${day} 的订单`} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">日期</th>
                <th scope="col">时间</th>
                <th scope="col">金额（元）</th>
                <th scope="col">渠道</th>
                <th scope="col">订单号</th>
                <th scope="col">操作</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((order) => (
                <OrderRow key={order.at} order={order} onReveal={() => void reveal(order.at)} onRefund={() => void refund(order.at)} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {refunding !== undefined && <RefundDialog orderId={refunding} onClose={() => setRefunding(undefined)} onDone={load} />}
    </>
  )
}

function usePaidOrders(daysBack: number) {
  const [day, setDay] = useState('')
  const [orders, setOrders] = useState<readonly ShownOrder[]>()
  const [failure, setFailure] = useState('')
  const latest = useRef('')
  const tell = (thrown: unknown): void => setFailure(failureText(thrown))
  const load = async (): Promise<void> => {
    const asked = dateNyr(daysBack, Date.now())
    latest.current = asked
    setDay(asked)
    setOrders(undefined)
    setFailure('')
    try {
      const found = await ask(paidQuery, { dateNyr: asked })
      // Another day may have been chosen meanwhile.
      if (latest.current === asked) setOrders(found.map((order, at) => ({ ...order, at, isWhole: false })))
    } catch (thrown) {
      tell(thrown)
    }
  }
  useEffect(() => void load(), [daysBack])
  const reveal = async (at: number): Promise<string | undefined> => {
    const known = orders?.find((order) => order.at === at)
    if (known?.isWhole) return known.orderid
    try {
      const { orderid } = await ask(revealOrder, { dateNyr: day, at })
      setOrders((before) => before?.map((order) => (order.at === at ? { ...order, orderid, isWhole: true } : order)))
      return orderid
    } catch (thrown) {
      tell(thrown)
      return undefined
    }
  }
  return { day, orders, failure, load, reveal }
}

const tableOf = (orders: readonly ShownOrder[]): string =>
  csvOf([
    ['日期', '时间', '金额', '渠道', '订单号'],
    ...orders.map(({ date, time, price, channel, orderid }) => [date, time, price.toFixed(2), channel, orderid]),
  ])
