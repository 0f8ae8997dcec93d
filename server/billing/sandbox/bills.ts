import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { SandboxPayment } from './payments.ts'
import { plainTime } from '../providers/notation.ts'
import { decimalYuan } from '#shared/plans'

interface Line {
  readonly payment: SandboxPayment
  readonly isRefund: boolean
}

/** A payment, and the refund that followed it. */
const linesOf = (payments: readonly SandboxPayment[]): readonly Line[] =>
  payments.flatMap((payment) => [{ payment, isRefund: false }, ...(payment.refundedFen > 0 ? [{ payment, isRefund: true }] : [])])

const paidAt = ({ paidAt: at, createdAt }: SandboxPayment): string => plainTime((at ?? createdAt).getTime())

/** WeChat's trade bill, as far as the columns go that matter. */
export function billOfWechat(payments: readonly SandboxPayment[]): Buffer {
  const lines = linesOf(payments).map(({ payment, isRefund }) => {
    const yuan = decimalYuan(payment.amountFen)
    const money = [isRefund ? 'REFUND' : 'SUCCESS', yuan, isRefund ? yuan : '0.00']
    return `\`${[paidAt(payment), payment.transactionId, payment.orderId, ...money].join(',`')}`
  })
  const total = decimalYuan(payments.reduce((sum, { amountFen }) => sum + amountFen, 0))
  const text = [
    '交易时间,微信订单号,商户订单号,交易状态,订单金额,退款金额',
    ...lines,
    '总交易单数,订单总金额',
    `\`${lines.length},\`${total}`,
    '',
  ]
  return Buffer.from(`\uFEFF${text.join('\r\n')}`)
}

/** Alipay's trade bill: a zip of a CSV in GBK, with its remarks. */
export async function billOfAlipay(payments: readonly SandboxPayment[], day: string): Promise<Buffer> {
  const lines = linesOf(payments).map(({ payment, isRefund }) => {
    const [kind, sign] = isRefund ? ['退款', '-'] : ['交易', '']
    const cells = [payment.transactionId, payment.orderId, kind, payment.title, paidAt(payment), `${sign}${decimalYuan(payment.amountFen)}`]
    return cells.map((cell) => `${cell}\t`).join(',')
  })
  const remarks = ['#支付宝业务明细查询', `#日期：${day}`, '#-----业务明细列表----']
  const head = '支付宝交易号,商户订单号,业务类型,商品名称,完成时间,订单金额（元）'
  const text = [...remarks, head, ...lines, '#-----业务明细列表结束----', ''].join('\r\n')
  const zip = new ZipFile()
  zip.addBuffer(gbk(text), `${day}_业务明细.csv`)
  zip.end()
  return buffer(Readable.from(zip.outputStream))
}

/** GBK of a text: Node only reads it, so it is asked what each pair of bytes would be. */
function gbk(text: string): Buffer {
  const decoder = new TextDecoder('gbk')
  const wanted = new Set(text)
  const bytes = new Map<string, readonly number[]>()
  for (let high = 0x81; high <= 0xfe; high++) {
    for (let low = 0x40; low <= 0xfe; low++) {
      const character = decoder.decode(Uint8Array.of(high, low))
      if (wanted.has(character)) bytes.set(character, [high, low])
    }
  }
  return Buffer.from(
    [...text].flatMap((character) => (character.charCodeAt(0) < 0x80 ? [character.charCodeAt(0)] : (bytes.get(character) ?? [0x3f]))),
  )
}
