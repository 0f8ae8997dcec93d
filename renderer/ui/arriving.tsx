import { useEffect, type ComponentType, type ReactNode } from 'react'
import { useAtomValue, type Atom } from 'jotai'
import { arrivalOf, type Arrival, type Expected } from '../state/arrival.ts'

/**
 * A component that is a script of its own, loaded when it is first shown, or on its way already; what stands in its place until then,
 * and if it does not come.
 */
export function arriving<Props extends object>(
  script: Expected<ComponentType<Props>> | (() => Promise<ComponentType<Props>>),
  { loading = null, failed = null }: { readonly loading?: ReactNode; readonly failed?: ReactNode } = {},
): ComponentType<Props> {
  const expected = typeof script === 'function' ? undefined : script
  // One that is here when it is first shown is shown at once: what has the focus must not go for a moment.
  let known: Atom<Arrival<ComponentType<Props>>> | undefined = expected && arrivalOf(expected.coming)
  return function Arriving(props) {
    useEffect(() => expected?.ask(), [])
    const arrival = useAtomValue((known ??= arrivalOf(typeof script === 'function' ? script() : script.coming)))
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
