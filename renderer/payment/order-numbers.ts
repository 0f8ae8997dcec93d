/** A code can be paid for two hours at the providers; it is replaced while nobody can be paying by it any more. */
export const CODE_LIFE_MS = 110 * 60_000

/** An order's number as the specification makes it, the time and four digits, and when that was. */
export interface OrderNumber {
  readonly orderId: string
  readonly madeAt: number
  /** Sent before: the server may know it, and may be done with it. */
  readonly isUsed: boolean
}

/**
 * The orders of this page: one a key for as long as its code can be paid. Only their numbers are kept when a dialog closes; the server
 * gives the same code for the same number, so that opening the dialog again makes no order more.
 */
export class OrderNumbers {
  readonly #kept = new Map<string, OrderNumber>()

  take(key: string): OrderNumber {
    const kept = this.#kept.get(key)
    if (kept && Date.now() - kept.madeAt < CODE_LIFE_MS) return kept
    const madeAt = Date.now()
    const made = { orderId: `${madeAt}${1000 + Math.floor(Math.random() * 9000)}`, madeAt, isUsed: false }
    this.#kept.set(key, { ...made, isUsed: true })
    return made
  }

  drop(key: string): void {
    this.#kept.delete(key)
  }

  /** What is bought next is another order. */
  clear(): void {
    this.#kept.clear()
  }
}
