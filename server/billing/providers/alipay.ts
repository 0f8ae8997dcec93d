import type { KeyObject } from 'node:crypto'
import { AlipaySdk, type AlipaySdkCommonResult } from 'alipay-sdk'
import { z } from 'zod'
import { readAlipayBill } from './alipay-bill.ts'
import { download } from './download.ts'
import { fenOf, plainTime, readPlainTime } from './notation.ts'
import {
  ANSWER_MS,
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
import { decimalYuan } from '#shared/plans'

const GATEWAY = 'https://openapi.alipay.com/gateway.do'
/** Where bills are fetched. */
const BILL_HOST = 'dwbillcenter.alipay.com'
/** A bare code of so many pixels, for a frame beside WeChat's. */
const CODE_MODE = '4'
const CODE_PX = '200'

/** The merchant at Alipay. */
export interface AlipayMerchant {
  readonly appId: string
  readonly sellerId: string
  readonly privateKey: KeyObject
  /** Alipay's own. */
  readonly publicKey: KeyObject
  readonly notifyUrl: string
  /** Of another gateway than the real one: the sandbox's. */
  readonly gateway?: string
}

const queried = z.object({
  outTradeNo: z.string(),
  tradeNo: z.string(),
  totalAmount: z.string(),
  tradeStatus: z.string(),
  sendPayDate: z.string().optional(),
})

const noticed = z.object({
  app_id: z.string(),
  seller_id: z.string(),
  sign_type: z.literal('RSA2'),
  out_trade_no: z.string().max(64),
  trade_no: z.string().min(1).max(64),
  total_amount: z.string(),
  trade_status: z.string(),
  gmt_payment: z.string().optional(),
})

const MOST_SAID = 100
const PAID = new Set(['TRADE_SUCCESS', 'TRADE_FINISHED'])
const NOT_THERE = 'ACQ.TRADE_NOT_EXIST'

/** Alipay's computer web page payment, by its own library. */
export class Alipay implements PaymentProvider {
  readonly method = 'alipay'
  readonly #merchant: AlipayMerchant
  readonly #sdk: AlipaySdk

  constructor(merchant: AlipayMerchant) {
    this.#merchant = merchant
    this.#sdk = new AlipaySdk({
      appId: merchant.appId,
      keyType: 'PKCS1',
      // It takes PEM for what stands between its first and its last line.
      privateKey: String(merchant.privateKey.export({ type: 'pkcs1', format: 'pem' })).trim(),
      alipayPublicKey: String(merchant.publicKey.export({ type: 'spki', format: 'pem' })).trim(),
      gateway: merchant.gateway ?? GATEWAY,
      timeout: ANSWER_MS,
    })
  }

  readonly order = async ({ id, title, amountFen, expiresAt }: NewOrder): Promise<string> =>
    this.#sdk.pageExecute('alipay.trade.page.pay', 'GET', {
      timestamp: plainTime(Date.now()), // its own is in the time zone of this machine
      notifyUrl: this.#merchant.notifyUrl,
      bizContent: {
        outTradeNo: id,
        productCode: 'FAST_INSTANT_TRADE_PAY',
        totalAmount: decimalYuan(amountFen),
        subject: title,
        timeExpire: plainTime(expiresAt),
        qrPayMode: CODE_MODE,
        qrcodeWidth: CODE_PX,
      },
    })

  readonly query = async (orderId: string): Promise<Standing> => {
    const answer = await this.#exec('alipay.trade.query', { outTradeNo: orderId }, [NOT_THERE])
    if (answer.sub_code === NOT_THERE) return { state: 'unknown' }
    const trade = queried.parse(answer)
    if (trade.outTradeNo !== orderId) throw new Error('Alipay answered for another order')
    if (trade.tradeStatus === 'TRADE_CLOSED') return { state: 'closed' }
    if (!PAID.has(trade.tradeStatus)) return { state: 'open' }
    return { state: 'paid', payment: paymentOf(orderId, trade.tradeNo, trade.totalAmount, trade.sendPayDate) }
  }

  readonly close = async (orderId: string): Promise<void> => {
    await this.#exec('alipay.trade.close', { outTradeNo: orderId }, [NOT_THERE])
  }

  readonly refund = async ({ id, orderId, amountFen, reason }: Refund): Promise<boolean> => {
    const names = { outTradeNo: orderId, outRequestNo: id }
    const answer = await this.#exec('alipay.trade.refund', { ...names, refundAmount: decimalYuan(amountFen), refundReason: reason })
    if (answer['fundChange'] === 'Y') return true
    // Nothing moved now: it had before, or will.
    const standing = await this.#exec('alipay.trade.fastpay.refund.query', names)
    return standing['refundStatus'] === 'REFUND_SUCCESS'
  }

  readonly bill = async (day: string): Promise<readonly BillLine[]> => {
    const none = 'isp.bill_not_exist'
    const answer = await this.#exec('alipay.data.dataservice.bill.downloadurl.query', { billType: 'trade', billDate: day }, [none])
    if (answer.sub_code === none) return []
    const address = new URL(z.string().parse(answer['billDownloadUrl']))
    const { gateway } = this.#merchant
    const isTheirs = gateway === undefined ? address.host === BILL_HOST : address.origin === new URL(gateway).origin
    if (!isTheirs) throw new Error(`a bill at ${address.host}`)
    if (gateway === undefined) address.protocol = 'https:'
    return readAlipayBill(await download(address))
  }

  readonly readNotice = ({ body }: Notice): Payment | undefined => {
    const form = Object.fromEntries(new URLSearchParams(body))
    const parsed = noticed.safeParse(form)
    if (!parsed.success) throw refuseNotice('not a notice of Alipay')
    if (!this.#sdk.checkNotifySignV2(form)) throw refuseNotice('its signature is wrong')
    const { app_id, seller_id, out_trade_no, trade_no, total_amount, trade_status, gmt_payment } = parsed.data
    if (app_id !== this.#merchant.appId) throw refuseNotice('for another app')
    if (seller_id !== this.#merchant.sellerId) throw refuseNotice('for another seller')
    if (!PAID.has(trade_status)) return undefined
    return paymentOf(out_trade_no, trade_no, total_amount, gmt_payment)
  }

  /** An answer that Alipay signed. Throws on a refusal, unless its reason is one of those given. */
  async #exec(method: string, bizContent: Record<string, string>, expected: readonly string[] = []): Promise<AlipaySdkCommonResult> {
    const request = { timestamp: plainTime(Date.now()), bizContent }
    const asking = inTime(this.#sdk.exec(method, request, { validateSign: true }), ANSWER_MS)
    const answer = await asking.catch((error: unknown) => {
      // What its library throws ends with what was answered, which is for no log.
      throw new Error(`${method}: ${String(error).slice(0, MOST_SAID)}`)
    })
    // Its types have the names of the wire, its answers those of the language.
    const reason = z.string().optional().parse(answer['subCode'])
    if (answer.code === '10000') return answer
    if (reason !== undefined && expected.includes(reason)) return { ...answer, sub_code: reason }
    throw new Error(`${method}: ${answer.code} ${reason ?? ''}`)
  }
}

function paymentOf(orderId: string, transactionId: string, yuan: string, at: string | undefined): Payment {
  const paidAt = at === undefined ? Date.now() : readPlainTime(at)
  return { method: 'alipay', orderId, transactionId, amountFen: fenOf(yuan), paidAt }
}
