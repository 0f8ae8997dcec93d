import { CODE_LIFE_MS, type OrderNumber, type OrderNumbers } from './order-numbers.ts'
import { toWire, type WireError } from '#shared/errors/app-error'
import type { ErrorCode } from '#shared/errors/codes'
import type { PlanCode } from '#shared/plans'

/** The ways to pay, side by side. */
export const methods = ['wechat', 'alipay'] as const
export type Method = (typeof methods)[number]

/** What is shown of a way to pay. A `code` is what WeChat's says, or the address of Alipay's page. */
export type Offer =
  | { readonly at: 'loading' }
  | { readonly at: 'shown'; readonly code: string }
  | { readonly at: 'expired' }
  | { readonly at: 'failed'; readonly error: WireError }
  | { readonly at: 'off' }

export interface CheckoutView {
  readonly plan: PlanCode
  readonly offers: Readonly<Record<Method, Offer>>
}

/** The server, for somebody who pays. */
export interface Till {
  /** Orders a plan; what is shown to the payer. */
  readonly order: (method: Method, orderId: string, plan: PlanCode) => Promise<string>
  readonly isPaid: (orderId: string) => Promise<boolean>
  /** The same, having the server ask the provider. */
  readonly isPaidNow: (orderId: string) => Promise<boolean>
}

interface Order extends OrderNumber {
  readonly key: string
  readonly method: Method
  readonly plan: PlanCode
  offer: Offer
}

interface Settings {
  readonly till: Till
  readonly numbers: OrderNumbers
  /** Whose orders these are. */
  readonly identity: string
  readonly pollMs: number
  readonly onPaid: () => void
}

const LOADING: Offer = { at: 'loading' }
const failureOf = (offer: Offer): ErrorCode | undefined => (offer.at === 'failed' ? offer.error.code : undefined)
/** By the clock: a sleeping computer's timers sleep too. */
const isOver = ({ offer, madeAt }: Order): boolean => offer.at === 'shown' && Date.now() - madeAt >= CODE_LIFE_MS
const isAwake = (): boolean => navigator.onLine && document.visibilityState === 'visible'

/**
 * One opening of a dialog in which people pay: orders a plan by each way when it is first chosen, and asks of every order whether it is
 * paid until one is or the dialog closes. Asks nothing while nobody looks or the network is away, and at once when that ends.
 */
export class Checkout {
  readonly #settings: Settings
  readonly #orders = new Map<string, Order>()
  /** Ways whose last question is not answered yet. */
  readonly #asking = new Set<Method>()
  readonly #listeners = new Set<() => void>()
  #view: CheckoutView
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(settings: Settings, plan: PlanCode) {
    this.#settings = settings
    this.#view = { plan, offers: { wechat: LOADING, alipay: LOADING } }
  }

  readonly view = (): CheckoutView => this.#view

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  open(): void {
    this.#timer = setInterval(this.#tick, this.#settings.pollMs)
    document.addEventListener('visibilitychange', this.#wake)
    window.addEventListener('online', this.#wake)
    this.choose(this.#view.plan)
  }

  close(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    document.removeEventListener('visibilitychange', this.#wake)
    window.removeEventListener('online', this.#wake)
  }

  choose(plan: PlanCode): void {
    this.#view = { ...this.#view, plan }
    for (const method of methods) if (!this.#orders.has(this.#keyOf(method))) void this.#order(method)
    this.#show()
  }

  /** The code again: a new one once it was over, else the one there was, since somebody may be paying by it. */
  refresh(method: Method): void {
    const key = this.#keyOf(method)
    if (this.#orders.get(key)?.offer.at === 'expired') this.#settings.numbers.drop(key)
    void this.#order(method)
  }

  /** Whether it is paid by this way, asked of the provider. Rejects when nobody could say. */
  async check(method: Method): Promise<boolean> {
    const answers = await Promise.all(this.#madeBy(method).map(({ orderId }) => this.#settings.till.isPaidNow(orderId)))
    const isPaid = answers.includes(true)
    if (isPaid) this.#end()
    return isPaid
  }

  get #isOpen(): boolean {
    return this.#timer !== undefined
  }

  #keyOf(method: Method): string {
    return `${this.#settings.identity} ${this.#view.plan} ${method}`
  }

  /** Orders the server has, those of plans chosen before too: their code may have been scanned. */
  #madeBy(method: Method): Order[] {
    return [...this.#orders.values()].filter(({ method: by, offer }) => by === method && (offer.at === 'shown' || offer.at === 'expired'))
  }

  async #order(method: Method): Promise<void> {
    const key = this.#keyOf(method)
    const order: Order = { ...this.#settings.numbers.take(key), key, method, plan: this.#view.plan, offer: LOADING }
    this.#orders.set(key, order)
    this.#show()
    order.offer = await this.#offerOf(order)
    // The number of an earlier opening, and meanwhile over at the server.
    const isRefused = order.isUsed && failureOf(order.offer) === 'payment.code-expired'
    if (isRefused && this.#isOpen && key === this.#keyOf(method)) return this.#order(method)
    this.#show()
  }

  async #offerOf(order: Order): Promise<Offer> {
    const { till, numbers } = this.#settings
    try {
      return { at: 'shown', code: await till.order(order.method, order.orderId, order.plan) }
    } catch (thrown) {
      const error = toWire(thrown)
      // Without an answer the order may have been made: the same number finds it.
      if (error.code !== 'network.offline') numbers.drop(order.key)
      return error.code === 'payment.unavailable' ? { at: 'off' } : { at: 'failed', error }
    }
  }

  readonly #tick = (): void => {
    const over = [...this.#orders.values()].filter(isOver)
    for (const order of over) order.offer = { at: 'expired' }
    if (over.length > 0) this.#show()
    if (isAwake()) for (const method of methods) void this.#ask(method)
  }

  readonly #wake = (): void => {
    for (const method of methods) if (isAwake() && failureOf(this.#view.offers[method]) === 'network.offline') void this.#order(method)
    this.#tick()
  }

  async #ask(method: Method): Promise<void> {
    if (this.#asking.has(method)) return
    this.#asking.add(method)
    for (const { orderId } of this.#madeBy(method)) {
      // Asked again soon: one lost answer is no news.
      const isPaid = this.#isOpen && (await this.#settings.till.isPaid(orderId).catch(() => false))
      if (isPaid) this.#end()
    }
    this.#asking.delete(method)
  }

  #end(): void {
    if (!this.#isOpen) return
    this.close()
    this.#settings.numbers.clear()
    this.#settings.onPaid()
  }

  #show(): void {
    const offerOf = (method: Method): Offer => this.#orders.get(this.#keyOf(method))?.offer ?? LOADING
    this.#view = { ...this.#view, offers: { wechat: offerOf('wechat'), alipay: offerOf('alipay') } }
    for (const listener of this.#listeners) listener()
  }
}
