import { Formatter } from 'wechatpay-axios-plugin'
import { z } from 'zod'
import { fenOf, readPlainTime } from './notation.ts'
import type { BillLine } from './provider.ts'

const bill = z.object({
  rows: z.array(
    z.object({
      交易时间: z.string(),
      微信订单号: z.string(),
      商户订单号: z.string(),
      交易状态: z.string(),
      订单金额: z.string(),
      退款金额: z.string(),
    }),
  ),
})

/** The lines of a day's trade bill: a CSV whose values stand behind backquotes, with two lines of sums at its end. */
export function readWechatBill(csv: Buffer): readonly BillLine[] {
  return bill.parse(Formatter.castCsvBill(csv)).rows.flatMap((row): BillLine[] => {
    const isRefund = row['交易状态'] === 'REFUND'
    if (!isRefund && row['交易状态'] !== 'SUCCESS') return []
    return [
      {
        kind: isRefund ? 'refund' : 'payment',
        orderId: row['商户订单号'],
        transactionId: row['微信订单号'],
        amountFen: fenOf(isRefund ? row['退款金额'] : row['订单金额']),
        at: readPlainTime(row['交易时间']),
      },
    ]
  })
}
