import type { PointerEvent } from 'react'

/** Follows the pointer that was put down on an element until it is lifted, wherever it goes meanwhile. */
export function followPointer(
  { currentTarget: held, pointerId }: PointerEvent<HTMLElement>,
  onMove: (to: globalThis.PointerEvent) => void,
): void {
  held.setPointerCapture(pointerId)
  const drop = (): void => {
    held.removeEventListener('pointermove', onMove)
    held.removeEventListener('pointerup', drop)
    held.removeEventListener('pointercancel', drop)
  }
  held.addEventListener('pointermove', onMove)
  held.addEventListener('pointerup', drop)
  held.addEventListener('pointercancel', drop)
}
