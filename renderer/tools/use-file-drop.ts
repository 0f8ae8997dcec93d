import { useEffect, useState } from 'react'
import { droppedFiles } from '../platform/picked-files.ts'
import type { Picked } from '../state/batch.ts'

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true

/** Takes files dropped anywhere on the page, which the browser would else open in its place; whether some are held over it now. */
export function useFileDrop(add: (picked: readonly Picked[]) => void): boolean {
  const [isDragging, setDragging] = useState(false)
  useEffect(() => {
    const listeners = new AbortController()
    const { signal } = listeners
    document.addEventListener(
      'dragover',
      (event) => {
        if (!hasFiles(event)) return
        // Over a field that takes it, it is that one's.
        setDragging(!event.defaultPrevented)
        event.preventDefault()
      },
      { signal },
    )
    document.addEventListener(
      'dragleave',
      ({ relatedTarget }) => {
        // Between two parts of the page the other one is named.
        if (relatedTarget === null) setDragging(false)
      },
      { signal },
    )
    document.addEventListener(
      'drop',
      (event) => {
        setDragging(false)
        if (!event.dataTransfer || !hasFiles(event) || event.defaultPrevented) return
        event.preventDefault()
        void droppedFiles(event.dataTransfer).then(add)
      },
      { signal },
    )
    return () => listeners.abort()
  }, [add])
  return isDragging
}
