import { atom } from 'jotai'

/** The time of `performance.now()`, every second, for as long as anything shown depends on it. */
export const clockAtom = atom(performance.now())

clockAtom.onMount = (set) => {
  set(performance.now())
  const timer = setInterval(() => set(performance.now()), 1000)
  return () => clearInterval(timer)
}
