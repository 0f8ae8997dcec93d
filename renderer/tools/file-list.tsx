import { useRef } from 'react'
import { useAtomValue } from 'jotai'
import { useVirtualizer } from '@tanstack/react-virtual'
import { FileRow } from './file-row.tsx'
import css from './file-list.module.css'
import { listAtom } from '../state/rows.ts'

const ROW_PX = 73

interface Props {
  readonly page: string
  readonly onCompare: (id: string) => void
  readonly onSettings: (id: string) => void
}

/** The rows of a page; only those in sight are there. */
export function FileList({ page, onCompare, onSettings }: Props) {
  const ids = useAtomValue(listAtom(page))
  const frame = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: ids.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_PX,
    overscan: 6,
    getItemKey: (index) => ids[index] ?? index,
  })
  return (
    <div ref={frame} className={css['frame']} tabIndex={0} role="region" aria-label={`文件列表，共 ${ids.length} 个`}>
      <ul className={css['list']} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ key, index, start }) => (
          <li
            key={key}
            data-index={index}
            ref={rows.measureElement}
            className={css['item']}
            style={{ transform: `translateY(${start}px)` }}
            aria-setsize={ids.length}
            aria-posinset={index + 1}
          >
            <FileRow id={ids[index] ?? ''} onCompare={onCompare} onSettings={onSettings} />
          </li>
        ))}
      </ul>
    </div>
  )
}
