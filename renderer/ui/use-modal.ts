import { useLayoutEffect, useRef, type RefObject, type SyntheticEvent } from 'react'

/** A dialog that is open for as long as it is there; `first`, where it is given to an element, has the focus from the start. */
export function useModal(): {
  readonly dialog: RefObject<HTMLDialogElement | null>
  readonly first: RefObject<HTMLDivElement | null>
} {
  const dialog = useRef<HTMLDialogElement>(null)
  const first = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    first.current?.focus()
    // Closing gives the focus back to where it was; taking the element away would not.
    return () => element?.close()
  }, [])
  return { dialog, first }
}

/** Tells that a dialog was closed: late news of one that is open again is none. */
export const whenClosed =
  (onClose: () => void) =>
  ({ currentTarget }: SyntheticEvent<HTMLDialogElement>): void => {
    if (!currentTarget.open) onClose()
  }
