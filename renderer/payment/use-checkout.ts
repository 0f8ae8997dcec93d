import { useEffect, useState, useSyncExternalStore } from 'react'
import { Checkout, type CheckoutView } from './checkout.ts'
import { OrderNumbers } from './order-numbers.ts'
import { tillOf } from './till.ts'
import type { PlanCode } from '#shared/plans'

const numbers = new OrderNumbers()

interface Given {
  readonly identity: string
  /** The plan chosen first. */
  readonly plan: PlanCode
  readonly pollMs: number
  readonly onPaid: () => void
}

/** Orders and watches payments for as long as the component is there. Another identity is another component (`key`). */
export function useCheckout({ identity, plan, pollMs, onPaid }: Given): { readonly checkout: Checkout; readonly view: CheckoutView } {
  const [checkout] = useState(() => new Checkout({ till: tillOf(identity), numbers, identity, pollMs, onPaid }, plan))
  useEffect(() => {
    // Until the server knows who pays there is nothing to order; then the identity, and with it the component, is another.
    if (identity !== '') checkout.open()
    return () => checkout.close()
  }, [checkout, identity])
  return { checkout, view: useSyncExternalStore(checkout.subscribe, checkout.view) }
}
