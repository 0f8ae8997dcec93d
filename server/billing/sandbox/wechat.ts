import { createCipheriv, createHash } from 'node:crypto'
import { z } from 'zod'
import { billOfWechat } from './bills.ts'
import { isByMerchant, signAsPlatform, type Gateway } from './gateway.ts'
import { sandboxMerchant } from './keys.ts'
import { closePayment, findPayment, isPayable, openPayment, paidOn, refundPayment, type SandboxPayment } from './payments.ts'
import { rfc3339 } from '../providers/notation.ts'
import { randomText } from '#server/secrets'

/** A call of the merchant's server as it came. */
export interface WechatCall {
  readonly method: string
  /** With what is asked after the path: the signature covers it. */
  readonly url: string
  readonly origin: string
  readonly authorization: string | undefined
  readonly body: string
}

/** A signed answer. */
export interface WechatAnswer {
  readonly status: number
  readonly body: string | Buffer
  readonly headers: Readonly<Record<string, string>>
}

class Refusal extends Error {
  readonly status: number

  constructor(status: number, code: string) {
    super(code)
    this.status = status
  }
}

const CLOCK_S = 300

/** Throws unless the merchant signed this very call, and just now. Its library reads the machine's clock, so this does too. */
function verify(gateway: Gateway, { method, url, authorization = '', body }: WechatCall): void {
  const [scheme, rest = ''] = authorization.split(/ (.*)/)
  const fields = Object.fromEntries([...rest.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]))
  const { mchid, serial_no, timestamp = '', nonce_str = '', signature = '' } = fields
  const isMerchant = mchid === sandboxMerchant.wechatMchId && serial_no === sandboxMerchant.wechatSerial
  const isNow = Math.abs(Date.now() / 1000 - Number(timestamp)) <= CLOCK_S
  const text = `${method}\n${url}\n${timestamp}\n${nonce_str}\n${body}\n`
  const isRight = scheme === 'WECHATPAY2-SHA256-RSA2048' && isMerchant && isNow && isByMerchant(gateway, text, signature)
  if (!isRight) throw new Refusal(401, 'SIGN_ERROR')
}

const signatureHeaders = (gateway: Gateway, body: string, at: number): Record<string, string> => {
  const [timestamp, nonce] = [String(Math.floor(at / 1000)), randomText(32)]
  return {
    'wechatpay-timestamp': timestamp,
    'wechatpay-nonce': nonce,
    'wechatpay-serial': sandboxMerchant.wechatPlatformSerial,
    'wechatpay-signature': signAsPlatform(gateway, `${timestamp}\n${nonce}\n${body}\n`),
  }
}

const native = z.object({
  appid: z.literal(sandboxMerchant.wechatAppId),
  mchid: z.literal(sandboxMerchant.wechatMchId),
  description: z.string().min(1).max(127),
  out_trade_no: z.string().regex(/^[\w|*-]{6,32}$/),
  time_expire: z.iso.datetime({ offset: true }),
  notify_url: z.url(),
  amount: z.object({ total: z.number().int().positive(), currency: z.literal('CNY') }),
})

const refund = z.object({
  out_trade_no: z.string(),
  out_refund_no: z.string().min(1).max(64),
  reason: z.string().max(80).optional(),
  amount: z.object({ refund: z.number().int(), total: z.number().int(), currency: z.literal('CNY') }),
})

function read<T>(schema: z.ZodType<T>, body: string): T {
  const parsed = schema.safeParse(JSON.parse(body))
  if (!parsed.success) throw new Refusal(400, 'PARAM_ERROR')
  return parsed.data
}

const stateOf = (payment: SandboxPayment, now: number): string => {
  if (payment.state === 'paid') return 'SUCCESS'
  if (payment.state === 'refunded') return 'REFUND'
  return isPayable(payment, now) ? 'NOTPAY' : 'CLOSED'
}

const transactionOf = (payment: SandboxPayment, now: number): object => ({
  appid: sandboxMerchant.wechatAppId,
  mchid: sandboxMerchant.wechatMchId,
  out_trade_no: payment.orderId,
  trade_state: stateOf(payment, now),
  trade_type: 'NATIVE',
  amount: { total: payment.amountFen, payer_total: payment.amountFen, currency: 'CNY', payer_currency: 'CNY' },
  ...(payment.paidAt && { transaction_id: payment.transactionId, success_time: rfc3339(payment.paidAt.getTime()) }),
})

const ORDER = '/sandbox/wechat/v3/pay/transactions/out-trade-no/'

async function answerCall(gateway: Gateway, call: WechatCall): Promise<object | undefined> {
  verify(gateway, call)
  const { db, now } = gateway
  const { pathname, searchParams } = new URL(call.url, call.origin)
  const what = `${call.method} ${pathname.replace('/sandbox/wechat/v3/', '')}`
  if (what === 'POST pay/transactions/native') return openNative(gateway, read(native, call.body))
  if (what === 'POST refund/domestic/refunds') {
    const { out_trade_no, out_refund_no, amount } = read(refund, call.body)
    const refunded = amount.refund === amount.total && (await refundPayment(db, 'wechat', out_trade_no, amount.refund))
    if (!refunded) throw new Refusal(400, 'INVALID_REQUEST')
    return { out_trade_no, out_refund_no, status: 'SUCCESS', amount }
  }
  if (what === 'GET bill/tradebill') {
    const day = searchParams.get('bill_date') ?? ''
    const file = billOfWechat(await paidOn(db, 'wechat', day))
    const hash_value = createHash('sha1').update(file).digest('hex')
    return { hash_type: 'SHA1', hash_value, download_url: `${call.origin}/sandbox/wechat/v3/billdownload/file?token=${day}` }
  }
  const [orderId = '', action] = pathname.startsWith(ORDER) ? pathname.slice(ORDER.length).split('/') : []
  const payment = await findPayment(db, 'wechat', orderId)
  if (!payment) throw new Refusal(404, 'ORDER_NOT_EXIST')
  if (action === undefined) return transactionOf(payment, now())
  if (!(await closePayment(db, 'wechat', orderId))) throw new Refusal(400, 'ORDERPAID')
  return undefined
}

async function openNative({ db, now }: Gateway, asked: z.output<typeof native>): Promise<object> {
  const { out_trade_no: orderId, description: title, notify_url: notifyUrl, amount, time_expire } = asked
  const given = { method: 'wechat', orderId, title, notifyUrl, amountFen: amount.total, expiresAt: Date.parse(time_expire) } as const
  const payment = await openPayment(db, given, now())
  if (!payment) throw new Refusal(400, 'INVALID_REQUEST')
  if (payment.state === 'paid') throw new Refusal(400, 'ORDERPAID')
  if (!isPayable(payment, now())) throw new Refusal(400, 'ORDER_CLOSED')
  return { code_url: `weixin://wxpay/bizpayurl?pr=${payment.token}` }
}

/** The signed answer to a call of the merchant's server. */
export async function answerWechat(gateway: Gateway, call: WechatCall): Promise<WechatAnswer> {
  try {
    if (call.url.startsWith('/sandbox/wechat/v3/billdownload/file?')) return await billFile(gateway, call)
    const answer = await answerCall(gateway, call)
    return signed(gateway, answer ? 200 : 204, answer)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return signed(gateway, error.status, { code: error.message, message: error.message })
  }
}

function signed(gateway: Gateway, status: number, answer: object | undefined): WechatAnswer {
  const body = answer ? JSON.stringify(answer) : ''
  return { status, body, headers: { 'content-type': 'application/json; charset=utf-8', ...signatureHeaders(gateway, body, Date.now()) } }
}

async function billFile(gateway: Gateway, call: WechatCall): Promise<WechatAnswer> {
  verify(gateway, call)
  const day = new URL(call.url, call.origin).searchParams.get('token') ?? ''
  return {
    status: 200,
    body: billOfWechat(await paidOn(gateway.db, 'wechat', day)),
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  }
}

/** The signed message by which the merchant is told of a payment, its heart encrypted. */
export function wechatNotice(gateway: Gateway, payment: SandboxPayment): { body: string; headers: Record<string, string> } {
  const { keys, now } = gateway
  const [nonce, associated] = [randomText(12), 'transaction']
  const cipher = createCipheriv('aes-256-gcm', keys.apiV3Key, nonce).setAAD(Buffer.from(associated))
  const told = JSON.stringify(transactionOf(payment, now()))
  const ciphertext = Buffer.concat([cipher.update(told, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64')
  const body = JSON.stringify({
    id: randomText(32),
    create_time: rfc3339(now()),
    event_type: 'TRANSACTION.SUCCESS',
    resource_type: 'encrypt-resource',
    resource: { algorithm: 'AEAD_AES_256_GCM', original_type: 'transaction', ciphertext, nonce, associated_data: associated },
    summary: '支付成功',
  })
  return { body, headers: { 'content-type': 'application/json', ...signatureHeaders(gateway, body, now()) } }
}
