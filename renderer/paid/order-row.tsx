import type { PaidOrder } from './paid-orders.ts'

/** An order with its place in its day's list. */
export interface ShownOrder extends PaidOrder {
  readonly at: number
  /** Its number is shown in full. */
  readonly isWhole: boolean
}

interface Props {
  readonly order: ShownOrder
  readonly onReveal: () => void
  readonly onRefund: () => void
}

/** One paid order. */
export function OrderRow({ order: { date, time, price, channel, orderid, isWhole }, onReveal, onRefund }: Props) {
  return (
    <tr>
      <td>{date}</td>
      <td>{time}</td>
      <td>{price.toFixed(2)}</td>
      <td>{channel}</td>
      <td>{orderid}</td>
      <td>
        {!isWhole && (
          <button type="button" aria-label={`显示订单号 ${orderid}`} onClick={onReveal}>
            显示
          </button>
        )}
        {price === 0 ? (
          '已退款'
        ) : (
          <button type="button" aria-label={`退款 ${orderid}`} onClick={onRefund}>
            退款
          </button>
        )}
      </td>
    </tr>
  )
}
