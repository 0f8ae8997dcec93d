import type { IncomingHttpHeaders } from 'node:http'
import { AppError } from '#shared/errors/app-error'

/** How people pay. */
export type Method = 'alipay' | 'wechat'

/** What somebody is to pay for. */
export interface NewOrder {
  readonly id: string
  readonly title: string
  readonly amountFen: number
  /** Until when the provider takes money for it. */
  readonly expiresAt: number
}

/** Money that came in, as the provider says. */
export interface Payment {
  readonly method: Method
  readonly orderId: string
  readonly transactionId: string
  readonly amountFen: number
  readonly paidAt: number
}

/** Where an order stands at the provider; `unknown` where nobody has opened its page yet. */
export type Standing =
  | { readonly state: 'paid'; readonly payment: Payment }
  | { readonly state: 'open' }
  | { readonly state: 'closed' }
  | { readonly state: 'unknown' }

/** Money to go back. The same id again is the same refund. */
export interface Refund {
  readonly id: string
  readonly orderId: string
  readonly amountFen: number
  readonly reason: string
}

/** A line of a day's bill. */
export interface BillLine {
  readonly kind: 'payment' | 'refund'
  readonly orderId: string
  readonly transactionId: string
  readonly amountFen: number
  readonly at: number
}

/** A provider's message as it came, unread. */
export interface Notice {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A company that takes the money. Whatever it does not answer in time or does not answer rightly throws. */
export interface PaymentProvider {
  readonly method: Method
  /** What is shown to the payer: an address, or what a code says. The same order again is the same payment. */
  readonly order: (order: NewOrder) => Promise<string>
  readonly query: (orderId: string) => Promise<Standing>
  readonly close: (orderId: string) => Promise<void>
  /** Whether the money has gone back; asked again until it has. */
  readonly refund: (refund: Refund) => Promise<boolean>
  /** What came and went on a day, which is over. */
  readonly bill: (day: string) => Promise<readonly BillLine[]>
  /** The payment a notice tells of, or undefined when it tells of something else. Throws `payment.notice-refused`. */
  readonly readNotice: (notice: Notice, now: number) => Payment | undefined
}

/** How long a provider may take to answer. */
export const ANSWER_MS = 8_000
/** And for a day's bill. */
export const BILL_MS = 60_000
/** A day's bill, unpacked, at most. */
export const MOST_BILL_BYTES = 256 * 1024 ** 2

/** Why a notice is not believed; the reason is for the log. */
export const refuseNotice = (reason: string): AppError<'payment.notice-refused'> =>
  new AppError('payment.notice-refused', {}, { cause: new Error(reason) })
