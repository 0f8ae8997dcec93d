import { useEffect, useEffectEvent, useState } from 'react'

interface Shortcuts {
  readonly onUndo: (() => void) | undefined
  readonly onRedo: (() => void) | undefined
  /** `[` and `]`: steps smaller (−) or larger (+). */
  readonly onSize: (steps: number) => void
}

const TYPED = 'input:not([type=range], [type=checkbox], [type=color]), select, textarea'
/** What the space bar presses. */
const PRESSED = 'button, input, select, a'

const isIn = ({ target }: KeyboardEvent, selector: string): boolean => target instanceof Element && target.closest(selector) !== null

/** The keys of the whole editor, wherever its focus is; whether the space bar is held, which lets the hand move the picture. */
export function useShortcuts({ onUndo, onRedo, onSize }: Shortcuts): boolean {
  const [isHeld, setHeld] = useState(false)
  const press = useEffectEvent((event: KeyboardEvent): void => {
    if (isIn(event, TYPED) || event.altKey) return
    const key = event.key.toLowerCase()
    const isCommand = event.ctrlKey || event.metaKey
    if (isCommand && (key === 'z' || key === 'y')) {
      event.preventDefault()
      return key === 'y' || event.shiftKey ? onRedo?.() : onUndo?.()
    }
    if (isCommand) return
    if (key === '[' || key === ']') return onSize(key === ']' ? 1 : -1)
    if (key !== ' ' || isIn(event, PRESSED)) return
    event.preventDefault()
    setHeld(true)
  })
  useEffect(() => {
    const down = (event: KeyboardEvent): void => press(event)
    const release = (): void => setHeld(false)
    document.addEventListener('keydown', down)
    document.addEventListener('keyup', release)
    window.addEventListener('blur', release)
    return () => {
      document.removeEventListener('keydown', down)
      document.removeEventListener('keyup', release)
      window.removeEventListener('blur', release)
    }
  }, [])
  return isHeld
}
