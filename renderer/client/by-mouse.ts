import type { MouseEvent } from 'react'
import { openResults } from './results.ts'
import type { Row } from '../state/rows.ts'
import type { Opened } from '../tools/row-actions.ts'

/** What the mouse does with a file in a list of a desktop program: opened by a double press, all that can be done with it by the right button. */
export const byMouse = (row: Row, open: (opened: Opened) => void) => ({
  onDoubleClick: ({ target }: MouseEvent): void => {
    // Two presses of a button are no double press of the file.
    if (target instanceof Element && target.closest('button, a')) return
    void openResults(row)
  },
  onContextMenu: (event: MouseEvent): void => {
    event.preventDefault()
    open({ dialog: 'more', id: row.id })
  },
})
