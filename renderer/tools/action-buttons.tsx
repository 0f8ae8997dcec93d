import { Ellipsis } from 'lucide-react'
import css from './action-buttons.module.css'
import { mainAction, rowActions, type Opened, type RowAction } from './row-actions.ts'
import type { Row, Thumbnail } from '../state/rows.ts'
import { useIsNarrow } from '../ui/use-narrow.ts'

interface Props {
  readonly row: Row
  readonly thumbnail: Thumbnail
  readonly onOpen: (opened: Opened) => void
}

/** What can be done with a file, as icons in one line, and a way to what is rarely wanted; on a phone the likeliest, and a way to all. */
export function ActionButtons({ row, thumbnail, onOpen }: Props) {
  const isNarrow = useIsNarrow()
  const actions = rowActions(row, thumbnail, onOpen)
  const main = mainAction(actions)
  const shown = isNarrow ? actions.filter((one) => one === main) : actions.filter(({ isMinor }) => !isMinor)
  return (
    <div className={css['actions']}>
      {shown.map((one) => iconButton(one, row.name))}
      {(isNarrow || shown.length < actions.length) && (
        <button type="button" title="更多" aria-label={`更多 ${row.name}`} onClick={() => onOpen({ dialog: 'more', id: row.id })}>
          <Ellipsis size={20} aria-hidden />
        </button>
      )}
    </div>
  )
}

function iconButton({ key, label, title, Icon, run, link, isSet }: RowAction, name: string) {
  const words = { title, 'aria-label': `${label} ${name}` }
  const icon = <Icon size={key === 'cancel' ? 16 : 18} aria-hidden />
  if (link)
    return (
      <a key={key} {...words} {...link}>
        {icon}
      </a>
    )
  return (
    <button key={key} type="button" {...words} data-set={isSet || undefined} onClick={run}>
      {icon}
    </button>
  )
}
