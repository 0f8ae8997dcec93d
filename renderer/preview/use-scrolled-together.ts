import { useRef, type SyntheticEvent, type UIEvent } from 'react'

/** Marks what scrolls, in the element whose handlers these are. */
export const scrolled = { 'data-scrolled': true } as const

const ownerOf = (target: EventTarget): Element | null => (target instanceof Element ? target.closest('[data-scrolled]') : null)

/** Two things side by side scroll together, each by its share of what it has: the one a hand is on leads. */
export function useScrolledTogether() {
  const leader = useRef<Element | null>(null)
  const lead = ({ target }: SyntheticEvent): void => {
    leader.current = ownerOf(target) ?? leader.current
  }
  const follow = ({ target, currentTarget }: UIEvent): void => {
    if (!(target instanceof Element) || target !== leader.current) return
    const share = target.scrollTop / Math.max(1, target.scrollHeight - target.clientHeight)
    for (const other of currentTarget.querySelectorAll('[data-scrolled]')) {
      if (other !== target) other.scrollTop = share * (other.scrollHeight - other.clientHeight)
    }
  }
  return { onWheelCapture: lead, onPointerDownCapture: lead, onKeyDownCapture: lead, onScrollCapture: follow }
}
