import { useLayoutEffect, useRef, useState, type KeyboardEvent, type MouseEvent, type RefObject } from 'react'
import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual'
import { everyPage, withStretch } from './page-choice.ts'
import type { PagePictures } from './page-pictures.ts'
import { PageTile } from './page-tile.tsx'
import css from './page-tiles.module.css'
import type { PageChoice } from './use-page-choice.ts'

/** A tile with the gap beside and under it. */
const TILE_WIDTH_PX = 116
const TILE_HEIGHT_PX = 176

interface Props {
  readonly pictures: PagePictures
  readonly count: number
  readonly choice: PageChoice
  /** One line that scrolls sideways, or as many as there is room for beside each other. */
  readonly layout: 'strip' | 'grid'
  readonly onEnlarge: (page: number) => void
}

/** How many tiles fit beside each other. */
function useColumns(frame: RefObject<HTMLDivElement | null>, layout: 'strip' | 'grid'): number {
  const [columns, setColumns] = useState(1)
  useLayoutEffect(() => {
    if (layout === 'strip' || !frame.current) return undefined
    const observer = new ResizeObserver(([entry]) => setColumns(Math.max(1, Math.floor((entry?.contentRect.width ?? 0) / TILE_WIDTH_PX))))
    observer.observe(frame.current)
    return () => observer.disconnect()
  }, [frame, layout])
  return columns
}

/** Where a key leads from a page; undefined for a key that leads nowhere. */
function pageAfter(key: string, page: number, count: number, columns: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: 1,
    ArrowLeft: -1,
    ArrowDown: columns,
    ArrowUp: -columns,
    Home: 1 - page,
    End: count - page,
  }
  const step = steps[key]
  return step === undefined ? undefined : Math.max(1, Math.min(count, page + step))
}

/** Pages to choose from, by pointer or keys; only those in sight are there, and drawn. */
export function PageTiles({ pictures, count, choice, layout, onEnlarge }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const columns = useColumns(frame, layout)
  const [active, setActive] = useState(1)
  // Where the stretch that Shift chooses begins.
  const anchor = useRef(1)
  const tiles = useVirtualizer({
    count,
    horizontal: layout === 'strip',
    lanes: columns,
    estimateSize: () => (layout === 'strip' ? TILE_WIDTH_PX : TILE_HEIGHT_PX),
    getScrollElement: () => frame.current,
    overscan: 4,
    // What has the focus stays, wherever it is scrolled.
    rangeExtractor: (range: Range) => [...new Set([...defaultRangeExtractor(range), active - 1])].toSorted((a, b) => a - b),
  })
  const choose = (page: number, isStretch: boolean): void => {
    const isIn = isStretch || !choice.chosen.includes(page)
    choice.choose(withStretch(choice.chosen, isStretch ? anchor.current : page, page, isIn))
    if (!isStretch) anchor.current = page
  }
  const press = (page: number) => (event: MouseEvent) => {
    setActive(page)
    choose(page, event.shiftKey)
  }
  const go = (page: number): void => {
    setActive(page)
    tiles.scrollToIndex(page - 1)
    // It may have to be made first.
    requestAnimationFrame(() => frame.current?.querySelector<HTMLElement>(`[data-page="${page}"]`)?.focus({ preventScroll: true }))
  }
  const keys = (event: KeyboardEvent): void => {
    if (event.altKey) return
    const next = pageAfter(event.key, active, count, columns)
    if (next !== undefined && !event.ctrlKey && !event.metaKey) {
      event.preventDefault()
      if (event.shiftKey) choose(next, true)
      return go(next)
    }
    if (event.key.toLowerCase() === 'a' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      choice.choose(everyPage(count, 'all'))
    }
    if (event.key === 'Enter' && event.target instanceof Element && event.target.matches('[data-page]')) {
      event.preventDefault()
      onEnlarge(active)
    }
  }
  const isStrip = layout === 'strip'
  const extent = tiles.getTotalSize()
  return (
    <div ref={frame} className={css['frame']} data-layout={layout} role="group" aria-label={`页面，共 ${count} 页`} onKeyDown={keys}>
      <div className={css['tiles']} style={isStrip ? { width: extent } : { height: extent }}>
        {tiles.getVirtualItems().map(({ key, index, lane, start }) => (
          <div
            key={key}
            className={css['place']}
            style={
              isStrip
                ? { transform: `translateX(${start}px)` }
                : { left: `${(lane * 100) / columns}%`, width: `${100 / columns}%`, transform: `translateY(${start}px)` }
            }
          >
            <PageTile
              pictures={pictures}
              page={index + 1}
              isChosen={choice.chosen.includes(index + 1)}
              isReached={index + 1 === active}
              onPress={press(index + 1)}
              onEnlarge={() => onEnlarge(index + 1)}
            />
          </div>
        ))}
      </div>
    </div>
  )
}
