import { useCallback, useEffect, useState } from 'react'
import { addFiles, MAX_ROWS, startRows, type Picked } from '../state/batch.ts'
import { rowsOf } from '../state/rows.ts'
import { pastedFiles } from '../platform/picked-files.ts'
import { messageOf } from '../words.ts'
import { AppError, toWire } from '#shared/errors/app-error'
import { findPage } from '#shared/tools/index'

/** Whether a file needs its editor before it is started; a cut-out's has nothing to show until then. */
const opensEditor = (path: string): boolean => ['crop', 'idPhoto'].includes(findPage(path)?.tool.editor ?? '')

/** What a page does with files, and what it has to say about the last thing asked of it. */
export function usePage(path: string) {
  const [message, setMessage] = useState('')
  const [editedId, edit] = useState<string | undefined>()
  const add = useCallback(
    (picked: readonly Picked[]): void => {
      const isFirst = rowsOf(path).length === 0
      const refused = addFiles(path, picked)
      if (isFirst && opensEditor(path)) edit(rowsOf(path)[0]?.id)
      setMessage(refused > 0 ? messageOf({ code: 'batch.too-many', data: { limit: MAX_ROWS } }) : '')
    },
    [path],
  )
  const start = useCallback(
    (ids?: readonly string[]): void => {
      try {
        startRows(path, ids)
        setMessage('')
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        // The one that a field tells of is over as soon as that is filled.
        setMessage(error.code === 'options.background-missing' ? '' : messageOf(toWire(error)))
      }
    },
    [path],
  )
  // Out of sight a page's effects are cleaned up, so only the page shown takes what is pasted.
  useEffect(() => {
    const paste = (event: ClipboardEvent): void => {
      const picked = pastedFiles(event)
      if (picked.length > 0) add(picked)
    }
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [add])
  return { add, start, message, editedId, edit }
}
