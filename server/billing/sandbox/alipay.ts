import { z } from 'zod'
import { signAsPlatform, isByMerchant, type Gateway } from './gateway.ts'
import { sandboxMerchant } from './keys.ts'
import { closePayment, findPayment, isPayable, openPayment, refundPayment, type SandboxPayment } from './payments.ts'
import { fenOf, plainTime, readPlainTime } from '../providers/notation.ts'
import { decimalYuan } from '#shared/plans'

/** A call's parameters, of its address and its body alike. */
export type AlipayParameters = Readonly<Record<string, string>>

/** A refusal as Alipay writes it. */
class Refusal extends Error {}

const content = z.object({
  out_trade_no: z.string().regex(/^\w{1,64}$/),
  total_amount: z.string().optional(),
  subject: z.string().min(1).max(256).optional(),
  time_expire: z.string().optional(),
  product_code: z.string().optional(),
  out_request_no: z.string().optional(),
  refund_amount: z.string().optional(),
})
type Content = z.infer<typeof content>

const sortedPairs = (parameters: AlipayParameters): string =>
  Object.keys(parameters)
    .toSorted()
    .map((name) => `${name}=${parameters[name]}`)
    .join('&')

/** Throws unless the merchant signed the parameters and is who they say. */
function verify(gateway: Gateway, { sign = '', ...parameters }: AlipayParameters): void {
  if (parameters['app_id'] !== sandboxMerchant.alipayAppId) throw new Refusal('isv.invalid-app-id')
  if (parameters['sign_type'] !== 'RSA2') throw new Refusal('isv.invalid-signature-type')
  if (!isByMerchant(gateway, sortedPairs(parameters), sign)) throw new Refusal('isv.invalid-signature')
}

function contentOf(parameters: AlipayParameters): Content {
  const parsed = content.safeParse(JSON.parse(parameters['biz_content'] ?? '{}'))
  if (!parsed.success) throw new Refusal('isv.invalid-parameter')
  return parsed.data
}

/** The payment for which a browser was sent here, or why there is none. */
export async function openAlipayPage(gateway: Gateway, parameters: AlipayParameters): Promise<SandboxPayment | string> {
  try {
    verify(gateway, parameters)
    const asked = contentOf(parameters)
    const amountFen = fenOf(asked.total_amount ?? '')
    const expiresAt = readPlainTime(asked.time_expire ?? '')
    const isWhole = amountFen > 0 && expiresAt > 0 && asked.subject !== undefined && asked.product_code === 'FAST_INSTANT_TRADE_PAY'
    if (!isWhole) throw new Refusal('isv.invalid-parameter')
    const found = await findPayment(gateway.db, 'alipay', asked.out_trade_no)
    if (!found && expiresAt <= gateway.now()) throw new Refusal('ACQ.PAYMENT_TIMEOUT')
    const given = { method: 'alipay', orderId: asked.out_trade_no, title: asked.subject ?? '', amountFen, expiresAt } as const
    const payment = await openPayment(gateway.db, { ...given, notifyUrl: parameters['notify_url'] ?? '' }, gateway.now())
    return payment ?? 'ACQ.CONTEXT_INCONSISTENT'
  } catch (error) {
    if (error instanceof Refusal) return error.message
    throw error
  }
}

const statusOf = (payment: SandboxPayment, now: number): string => {
  if (payment.state === 'paid') return 'TRADE_SUCCESS'
  return isPayable(payment, now) ? 'WAIT_BUYER_PAY' : 'TRADE_CLOSED'
}

/** What every method answers about a trade that is there. */
const methods: Readonly<Record<string, (gateway: Gateway, asked: Content, payment: SandboxPayment) => Promise<object>>> = {
  'alipay.trade.query': async ({ now }, _asked, payment) => ({
    trade_status: statusOf(payment, now()),
    total_amount: decimalYuan(payment.amountFen),
    ...(payment.paidAt && { send_pay_date: plainTime(payment.paidAt.getTime()) }),
  }),
  'alipay.trade.close': async ({ db }, { out_trade_no }) => {
    if (!(await closePayment(db, 'alipay', out_trade_no))) throw new Refusal('ACQ.REASON_TRADE_STATUS_INVALID')
    return {}
  },
  'alipay.trade.refund': async ({ db }, { out_trade_no, refund_amount = '' }) => {
    const refunded = await refundPayment(db, 'alipay', out_trade_no, fenOf(refund_amount))
    if (!refunded) throw new Refusal('ACQ.TRADE_STATUS_ERROR')
    return { fund_change: refunded.moved ? 'Y' : 'N', refund_fee: refund_amount }
  },
  'alipay.trade.fastpay.refund.query': async (_gateway, { out_request_no }, { state }) =>
    state === 'refunded' ? { out_request_no, refund_status: 'REFUND_SUCCESS' } : {},
}

/** Where a day's bill is. The numbers in it sign their payers in, so the address is signed too. */
export const billPath = (gateway: Gateway, day: string): string =>
  `/sandbox/alipay/bill/${day}?${new URLSearchParams({ sign: signAsPlatform(gateway, `bill of ${day}`) })}`

async function answerCall(gateway: Gateway, parameters: AlipayParameters, origin: string): Promise<object> {
  verify(gateway, parameters)
  const method = parameters['method'] ?? ''
  if (method === 'alipay.data.dataservice.bill.downloadurl.query') {
    const { bill_date } = z.object({ bill_date: z.iso.date() }).parse(JSON.parse(parameters['biz_content'] ?? '{}'))
    return { bill_download_url: origin + billPath(gateway, bill_date) }
  }
  const answer = methods[method]
  if (!answer) throw new Refusal('isv.invalid-method')
  const asked = contentOf(parameters)
  const payment = await findPayment(gateway.db, 'alipay', asked.out_trade_no)
  if (!payment) throw new Refusal('ACQ.TRADE_NOT_EXIST')
  const { orderId, transactionId } = payment
  return { out_trade_no: orderId, trade_no: transactionId ?? `0${orderId}`, ...(await answer(gateway, asked, payment)) }
}

/** The signed answer to a call of the merchant's server; `origin` is where it called. */
export async function answerAlipay(gateway: Gateway, parameters: AlipayParameters, origin: string): Promise<string> {
  const body = await answerCall(gateway, parameters, origin).then(
    (answer) => ({ code: '10000', msg: 'Success', ...answer }),
    (error: unknown) => {
      if (error instanceof Refusal) return { code: '40004', msg: 'Business Failed', sub_code: error.message, sub_msg: error.message }
      throw error
    },
  )
  const name = `${(parameters['method'] ?? 'error').replaceAll('.', '_')}_response`
  const text = JSON.stringify(body)
  return `{"${name}":${text},"sign":"${signAsPlatform(gateway, text)}"}`
}

/** The signed form by which the merchant is told of a payment. */
export function alipayNotice(gateway: Gateway, payment: SandboxPayment): string {
  const fields: Record<string, string> = {
    notify_time: plainTime(gateway.now()),
    notify_type: 'trade_status_sync',
    notify_id: `${payment.transactionId}${payment.notices}`,
    charset: 'utf-8',
    version: '1.0',
    app_id: sandboxMerchant.alipayAppId,
    seller_id: sandboxMerchant.alipaySellerId,
    out_trade_no: payment.orderId,
    trade_no: payment.transactionId ?? '',
    trade_status: 'TRADE_SUCCESS',
    total_amount: decimalYuan(payment.amountFen),
    subject: payment.title,
    gmt_payment: plainTime(payment.paidAt?.getTime() ?? gateway.now()),
  }
  // The signature covers all but its own kind.
  return new URLSearchParams({ ...fields, sign_type: 'RSA2', sign: signAsPlatform(gateway, sortedPairs(fields)) }).toString()
}
