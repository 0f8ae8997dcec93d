import { createHash, type KeyObject } from 'node:crypto'
import { Aes, Decorator, Formatter, Rsa } from 'wechatpay-axios-plugin'
import { z } from 'zod'
import { readWechatBill } from './wechat-bill.ts'
import { rfc3339 } from './notation.ts'
import {
  ANSWER_MS,
  BILL_MS,
  MOST_BILL_BYTES,
  refuseNotice,
  type BillLine,
  type NewOrder,
  type Notice,
  type Payment,
  type PaymentProvider,
  type Refund,
  type Standing,
} from './provider.ts'
import { inTime } from '#server/in-time'

const BASE = 'https://api.mch.weixin.qq.com/'
/** How far its clock and ours may be apart, and how long a notice can be sent again by a stranger who heard it. */
const CLOCK_S = 300

/** The merchant at WeChat Pay. */
export interface WechatMerchant {
  readonly appId: string
  readonly mchId: string
  readonly serial: string
  readonly privateKey: KeyObject
  readonly apiV3Key: string
  /** WeChat's own key, and what it is called in its headers. */
  readonly platformSerial: string
  readonly platformKey: KeyObject
  readonly notifyUrl: string
  /** Of another gateway than the real one: the sandbox's. */
  readonly base?: string
}

/** What a code that leads to WeChat's payment says. */
const codeUrl = z.string().regex(/^weixin:\/\/wxpay\/bizpayurl/)

const transaction = z.object({
  appid: z.string(),
  mchid: z.string(),
  out_trade_no: z.string().max(64),
  trade_state: z.string(),
  transaction_id: z.string().min(1).max(64).optional(),
  success_time: z.string().optional(),
  amount: z.object({ total: z.number(), currency: z.literal('CNY').optional() }).optional(),
})

const noticed = z.object({
  event_type: z.string(),
  resource: z.object({
    algorithm: z.literal('AEAD_AES_256_GCM'),
    ciphertext: z.string(),
    associated_data: z.string().default(''),
    nonce: z.string().length(12),
  }),
})

const signatureHeaders = z.object({
  'wechatpay-timestamp': z.string().regex(/^\d{10}$/),
  'wechatpay-nonce': z.string().min(1),
  'wechatpay-serial': z.string(),
  'wechatpay-signature': z.string().min(1),
})

const failure = z.object({ response: z.object({ status: z.number(), data: z.object({ code: z.string() }) }) })

/** WeChat Pay's Native payment, API v3, by a library that signs what goes out and verifies what comes in. */
export class WechatPay implements PaymentProvider {
  readonly method = 'wechat'
  readonly #merchant: WechatMerchant
  readonly #client: Decorator

  constructor(merchant: WechatMerchant) {
    const { mchId, serial, privateKey, platformSerial, platformKey, base = BASE } = merchant
    this.#merchant = merchant
    this.#client = new Decorator({
      mchid: mchId,
      serial,
      // Its types know texts only; it takes keys as they are.
      privateKey: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
      certs: { [platformSerial]: platformKey },
      baseURL: base,
      timeout: ANSWER_MS,
      maxRedirects: 0,
      proxy: false,
    })
  }

  readonly order = async ({ id, title, amountFen, expiresAt }: NewOrder): Promise<string> => {
    const { appId, mchId, notifyUrl } = this.#merchant
    const answer = await this.#request('post', 'v3/pay/transactions/native', {
      appid: appId,
      mchid: mchId,
      description: title,
      out_trade_no: id,
      time_expire: rfc3339(expiresAt),
      notify_url: notifyUrl,
      amount: { total: amountFen, currency: 'CNY' },
    })
    return z.object({ code_url: codeUrl }).parse(answer).code_url
  }

  readonly query = async (orderId: string): Promise<Standing> => {
    const answer = await this.#request('get', this.#address(orderId)).catch(unless('ORDER_NOT_EXIST'))
    if (answer === undefined) return { state: 'unknown' }
    const found = transaction.parse(answer)
    if (found.out_trade_no !== orderId || !this.#isOurs(found)) throw new Error('WeChat answered for another order')
    const payment = paymentOf(found)
    if (payment) return { state: 'paid', payment }
    return { state: ['CLOSED', 'REVOKED', 'REFUND'].includes(found.trade_state) ? 'closed' : 'open' }
  }

  readonly close = async (orderId: string): Promise<void> => {
    const { mchId } = this.#merchant
    await this.#request('post', `${orderPath(orderId)}/close`, { mchid: mchId }).catch(
      unless('ORDER_NOT_EXIST', 'ORDER_CLOSED', 'ORDERCLOSED'),
    )
  }

  readonly refund = async ({ id, orderId, amountFen, reason }: Refund): Promise<boolean> => {
    const answer = await this.#request('post', 'v3/refund/domestic/refunds', {
      out_trade_no: orderId,
      out_refund_no: id,
      reason,
      // Orders are paid back whole.
      amount: { refund: amountFen, total: amountFen, currency: 'CNY' },
    })
    return z.object({ status: z.string() }).parse(answer).status === 'SUCCESS'
  }

  readonly bill = async (day: string): Promise<readonly BillLine[]> => {
    const answer = await this.#request('get', `v3/bill/tradebill?bill_date=${day}&bill_type=ALL`).catch(unless('NO_STATEMENT_EXIST'))
    if (answer === undefined) return []
    const { download_url, hash_value } = z.object({ download_url: z.url(), hash_value: z.string() }).parse(answer)
    const address = new URL(download_url)
    const base = new URL(this.#merchant.base ?? BASE)
    // The request carries a signature of ours.
    if (address.origin !== base.origin || !address.pathname.startsWith(base.pathname)) throw new Error(`a bill at ${address.host}`)
    const path = address.pathname.slice(base.pathname.length) + address.search
    const options = { timeout: BILL_MS, maxContentLength: MOST_BILL_BYTES, transformResponse: [] }
    const request = this.#client.request<unknown>(path, 'get', undefined, { ...options, responseType: 'arraybuffer' })
    const data = z.instanceof(Buffer).parse((await inTime(Promise.resolve(request), BILL_MS)).data)
    // The answer itself is not signed: its hash was.
    if (createHash('sha1').update(data).digest('hex') !== hash_value.toLowerCase()) throw new Error('the bill is not the one announced')
    return readWechatBill(data)
  }

  readonly readNotice = (notice: Notice, now: number): Payment | undefined => {
    this.#verify(notice, now)
    const parsed = noticed.safeParse(parseJson(notice.body))
    if (!parsed.success) throw refuseNotice('not a notice of WeChat')
    if (parsed.data.event_type !== 'TRANSACTION.SUCCESS') return undefined
    const found = transaction.safeParse(parseJson(this.#open(parsed.data.resource)))
    if (!found.success) throw refuseNotice('nothing of a payment in it')
    if (!this.#isOurs(found.data)) throw refuseNotice('for another merchant or app')
    return paymentOf(found.data)
  }

  /** Throws unless WeChat wrote these very bytes, and not long ago. */
  #verify({ headers, body }: Notice, now: number): void {
    const given = signatureHeaders.safeParse(headers)
    if (!given.success) throw refuseNotice('headers are missing')
    const { 'wechatpay-timestamp': at, 'wechatpay-nonce': nonce, 'wechatpay-serial': serial, 'wechatpay-signature': signature } = given.data
    if (Math.abs(now / 1000 - Number(at)) > CLOCK_S) throw refuseNotice('too old')
    if (serial !== this.#merchant.platformSerial) throw refuseNotice(`signed by an unknown key: ${serial}`)
    if (!Rsa.verify(Formatter.response(at, nonce, body), signature, this.#merchant.platformKey))
      throw refuseNotice('its signature is wrong')
  }

  #open({ ciphertext, nonce, associated_data }: z.output<typeof noticed>['resource']): string {
    try {
      return Aes.AesGcm.decrypt(ciphertext, this.#merchant.apiV3Key, nonce, associated_data)
    } catch (cause) {
      throw refuseNotice(`it can't be decrypted: ${String(cause)}`)
    }
  }

  #isOurs({ appid, mchid }: z.output<typeof transaction>): boolean {
    return appid === this.#merchant.appId && mchid === this.#merchant.mchId
  }

  #address(orderId: string): string {
    return `${orderPath(orderId)}?mchid=${this.#merchant.mchId}`
  }

  async #request(method: 'get' | 'post', path: string, body?: object): Promise<unknown> {
    return (await inTime(Promise.resolve(this.#client.request<unknown>(path, method, body)), ANSWER_MS)).data
  }
}

const orderPath = (orderId: string): string => `v3/pay/transactions/out-trade-no/${orderId}`

/** Lets refusals with certain codes pass as nothing. */
const unless =
  (...codes: readonly string[]) =>
  (thrown: unknown): undefined => {
    const told = failure.safeParse(thrown)
    if (!told.success) throw withoutRequest(thrown)
    const { status, data } = told.data.response
    if (!codes.includes(data.code)) throw new Error(`WeChat refused: ${status} ${data.code}`)
  }

/** What axios throws holds the request with its signature. */
const withoutRequest = (thrown: unknown): Error => new Error(thrown instanceof Error ? thrown.message : String(thrown))

function paymentOf({ out_trade_no, transaction_id, trade_state, amount, success_time }: z.output<typeof transaction>): Payment | undefined {
  if (trade_state !== 'SUCCESS' || transaction_id === undefined || !amount) return undefined
  const paidAt = Date.parse(success_time ?? '')
  return {
    method: 'wechat',
    orderId: out_trade_no,
    transactionId: transaction_id,
    amountFen: amount.total,
    paidAt: Number.isNaN(paidAt) ? Date.now() : paidAt,
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
