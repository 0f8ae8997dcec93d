import { useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { useAtomValue } from 'jotai'
import { useVirtualizer, useWindowVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { FileItem } from './file-item.tsx'
import css from './file-list.module.css'
import type { Opened } from './row-actions.ts'
import { listAtom } from '../state/rows.ts'
import { viewAtom, type View } from '../state/view.ts'
import { useIsNarrow } from '../ui/use-narrow.ts'

const ROW_PX = 73
/** The height of a card with the gap under it; all are the same, so that they stand in rows. */
const CARD_PX = 300
const CARD_MIN_PX = 188

interface Props {
  readonly page: string
  readonly onOpen: (opened: Opened) => void
}

interface ListProps extends Pick<Props, 'onOpen'> {
  readonly ids: readonly string[]
  readonly view: View
}

/** The files of a page as rows or cards; only those in sight are there. On a phone they scroll with the page, else in a frame. */
export function FileList({ page, onOpen }: Props) {
  const ids = useAtomValue(listAtom(page))
  const view = useAtomValue(viewAtom)
  const List = useIsNarrow() ? PageList : FramedList
  return <List key={view} ids={ids} view={view} onOpen={onOpen} />
}

function FramedList({ ids, view, onOpen }: ListProps) {
  const frame = useRef<HTMLDivElement>(null)
  const columns = useColumns(frame, view)
  const items = useVirtualizer({ ...layout(ids, view, columns), getScrollElement: () => frame.current })
  return (
    <div ref={frame} className={css['frame']} tabIndex={0} role="region" aria-label={`文件列表，共 ${ids.length} 个`}>
      <Items ids={ids} view={view} columns={columns} items={items} onOpen={onOpen} />
    </div>
  )
}

function PageList({ ids, view, onOpen }: ListProps) {
  const frame = useRef<HTMLDivElement>(null)
  const columns = useColumns(frame, view)
  const [topPx, setTop] = useState(0)
  useLayoutEffect(() => setTop((frame.current?.getBoundingClientRect().top ?? 0) + window.scrollY), [])
  const items = useWindowVirtualizer({ ...layout(ids, view, columns), scrollMargin: topPx, initialOffset: 0 })
  return (
    <div ref={frame} role="region" aria-label={`文件列表，共 ${ids.length} 个`}>
      <Items ids={ids} view={view} columns={columns} items={items} onOpen={onOpen} />
    </div>
  )
}

const layout = (ids: readonly string[], view: View, columns: number) => ({
  count: ids.length,
  lanes: columns,
  estimateSize: () => (view === 'grid' ? CARD_PX : ROW_PX),
  overscan: 6,
  getItemKey: (index: number) => ids[index] ?? index,
})

interface ItemsProps extends ListProps {
  readonly columns: number
  readonly items: Virtualizer<HTMLDivElement, Element> | Virtualizer<Window, Element>
}

function Items({ ids, view, columns, items, onOpen }: ItemsProps) {
  const { scrollMargin } = items.options
  return (
    <ul className={css['list']} style={{ height: items.getTotalSize() }}>
      {items.getVirtualItems().map(({ key, index, lane, start }) => (
        <li
          key={key}
          data-index={index}
          // Rows grow with their texts; cards are all of one height.
          ref={view === 'list' ? items.measureElement : undefined}
          className={css['item']}
          style={{ width: `${100 / columns}%`, left: `${(lane * 100) / columns}%`, transform: `translateY(${start - scrollMargin}px)` }}
          aria-setsize={ids.length}
          aria-posinset={index + 1}
        >
          <FileItem id={ids[index] ?? ''} view={view} onOpen={onOpen} />
        </li>
      ))}
    </ul>
  )
}

/** How many cards fit beside each other: two at least. */
function useColumns(frame: RefObject<HTMLDivElement | null>, view: View): number {
  const [columns, setColumns] = useState(1)
  useLayoutEffect(() => {
    if (view === 'list' || !frame.current) return
    const measure = (widthPx: number): void => setColumns(Math.max(2, Math.floor(widthPx / CARD_MIN_PX)))
    measure(frame.current.clientWidth)
    const observer = new ResizeObserver(([entry]) => entry && measure(entry.contentRect.width))
    observer.observe(frame.current)
    return () => observer.disconnect()
  }, [frame, view])
  return columns
}
