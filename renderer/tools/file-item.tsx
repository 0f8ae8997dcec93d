import { useAtomValue } from 'jotai'
import { ActionButtons } from './action-buttons.tsx'
import card from './file-card.module.css'
import row from './file-row.module.css'
import type { Opened } from './row-actions.ts'
import { CropMark, FileName, Picture, Sizes, State } from './row-parts.tsx'
import { useResultPicture } from './use-result-picture.ts'
import { byMouse } from '../client/by-mouse.ts'
import { isClient } from '../platform/desktop.ts'
import { rowAtom, thumbnailAtom } from '../state/rows.ts'
import type { View } from '../state/view.ts'

const looks = { list: row, grid: card } as const

interface Props {
  readonly id: string
  readonly view: View
  readonly onOpen: (opened: Opened) => void
}

/** One file, as a line or as a large picture: what it is, what became of it, and what can be done with it. */
export function FileItem({ id, view, onOpen }: Props) {
  const file = useAtomValue(rowAtom(id))
  const thumbnail = useAtomValue(thumbnailAtom(id))
  const result = useResultPicture(file)
  const css = looks[view]
  return (
    <div className={css['item']} role="group" aria-label={file.name} tabIndex={-1} {...(isClient && byMouse(file, onOpen))}>
      <div className={css['picture']}>
        <Picture thumbnail={result === undefined ? thumbnail : { kind: 'picture', url: result }} isWhole={view === 'grid'} />
        <CropMark row={file} />
      </div>
      <div className={css['name']}>
        <FileName row={file} thumbnail={thumbnail} />
      </div>
      <div className={css['sizes']}>
        <Sizes row={file} />
      </div>
      <div className={css['state']}>
        <State row={file} thumbnail={thumbnail} onOpen={onOpen} />
      </div>
      <div className={css['actions']}>
        <ActionButtons row={file} thumbnail={thumbnail} onOpen={onOpen} />
      </div>
    </div>
  )
}
