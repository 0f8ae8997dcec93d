import { useAtomValue } from 'jotai'
import { ActionButtons } from './action-buttons.tsx'
import css from './file-card.module.css'
import type { Opened } from './row-actions.ts'
import { CropMark, FileName, Picture, Sizes, State } from './row-parts.tsx'
import { rowAtom, thumbnailAtom } from '../state/rows.ts'

/** The height of a card with the gap under it; all are the same, so that they stand in rows. */
export const CARD_PX = 300

interface Props {
  readonly id: string
  readonly onOpen: (opened: Opened) => void
}

/** One file as a picture with its state. */
export function FileCard({ id, onOpen }: Props) {
  const row = useAtomValue(rowAtom(id))
  const thumbnail = useAtomValue(thumbnailAtom(id))
  return (
    <div className={css['card']}>
      <div className={css['picture']}>
        <Picture thumbnail={thumbnail} isWhole />
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
