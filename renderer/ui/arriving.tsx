import type { ComponentType, ReactNode } from 'react'
import { useAtomValue, type Atom } from 'jotai'
import { arrivalOf, type Arrival } from '../state/arrival.ts'

/** A component that is a script of its own, loaded when it is first shown; what stands in its place until then, and if it does not come. */
export function arriving<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { loading = null, failed = null }: { readonly loading?: ReactNode; readonly failed?: ReactNode } = {},
): ComponentType<Props> {
  let known: Atom<Arrival<ComponentType<Props>>> | undefined
  return function Arriving(props) {
    const arrival = useAtomValue((known ??= arrivalOf(load())))
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
