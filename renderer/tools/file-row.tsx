import { useAtomValue } from 'jotai'
import { ActionButtons } from './action-buttons.tsx'
import css from './file-row.module.css'
import type { Opened } from './row-actions.ts'
import { CropMark, FileName, Picture, Sizes, State } from './row-parts.tsx'
import { rowAtom, thumbnailAtom } from '../state/rows.ts'

interface Props {
  readonly id: string
  readonly onOpen: (opened: Opened) => void
}

/** One file in a line: what it is, what became of it, and what can be done with it. */
export function FileRow({ id, onOpen }: Props) {
  const row = useAtomValue(rowAtom(id))
  const thumbnail = useAtomValue(thumbnailAtom(id))
  return (
    <div className={css['row']} role="group" aria-label={row.name} tabIndex={-1}>
      <div className={css['picture']}>
        <Picture thumbnail={thumbnail} />
        <CropMark row={row} />
      </div>
      <div className={css['name']}>
        <FileName row={row} thumbnail={thumbnail} />
      </div>
      <div className={css['sizes']}>
        <Sizes row={row} />
      </div>
      <div className={css['state']}>
        <State row={row} />
      </div>
      <div className={css['actions']}>
        <ActionButtons row={row} onOpen={onOpen} />
      </div>
    </div>
  )
}
