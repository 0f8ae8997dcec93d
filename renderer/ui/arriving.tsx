import type { ComponentType, ReactNode } from 'react'
import { useAtomValue, type Atom } from 'jotai'
import { arrivalOf, type Arrival } from '../state/arrival.ts'

/**
 * A component that is a script of its own, loaded when it is first shown, or on its way already; what stands in its place until then,
 * and if it does not come.
 */
export function arriving<Props extends object>(
  coming: Promise<ComponentType<Props>> | (() => Promise<ComponentType<Props>>),
  { loading = null, failed = null }: { readonly loading?: ReactNode; readonly failed?: ReactNode } = {},
): ComponentType<Props> {
  // One that is here when it is first shown is shown at once: what has the focus must not go for a moment.
  let known: Atom<Arrival<ComponentType<Props>>> | undefined = coming instanceof Promise ? arrivalOf(coming) : undefined
  return function Arriving(props) {
    const arrival = useAtomValue((known ??= arrivalOf(coming instanceof Promise ? coming : coming())))
    switch (arrival.at) {
      case 'loading':
        return loading
      case 'failed':
        return failed
      case 'here':
        return <arrival.it {...props} />
    }
  }
}
