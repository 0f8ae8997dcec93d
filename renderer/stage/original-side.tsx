import { useRef, type CSSProperties, type KeyboardEvent, type PointerEvent } from 'react'
import css from './original-side.module.css'
import { splitAt, splitForKey } from '../ui/compare-geometry.ts'
import { Divider, isPlain } from '../ui/compare-stage.tsx'
import { followPointer } from '../ui/follow-pointer.ts'
import type { Rect, Size } from '#shared/resize'

interface Props {
  readonly url: string
  readonly board: { readonly preview: Size; readonly area: Rect }
  /** Size and place of the board in its frame. */
  readonly placed: CSSProperties
  /** Percent of the frame, from the left, where the original ends. */
  readonly split: number
  readonly onSplit: (split: number) => void
  /** What is right of the line. */
  readonly after: string
}

const percent = (part: number, whole: number): string => `${(100 * part) / whole}%`

/** The original where it lies on the board. */
export function Original({ url, board: { preview, area }, alt }: Pick<Props, 'url' | 'board'> & { readonly alt: string }) {
  return (
    <img
      className={css['picture']}
      src={url}
      alt={alt}
      draggable={false}
      style={{
        left: percent(-area.left, area.width),
        top: percent(-area.top, area.height),
        width: percent(preview.width, area.width),
        height: percent(preview.height, area.height),
      }}
    />
  )
}

/** The original over the left of what becomes of it. */
export function OriginalSide({ url, board, placed, split, onSplit, after }: Props) {
  const side = useRef<HTMLDivElement>(null)
  const grab = (event: PointerEvent<HTMLElement>): void => {
    event.stopPropagation()
    const box = side.current?.getBoundingClientRect()
    if (box) followPointer(event, ({ clientX }) => onSplit(splitAt(clientX - box.left, box.width)))
  }
  const press = (event: KeyboardEvent): void => {
    const next = isPlain(event) ? splitForKey(event.key, event.shiftKey, split) : undefined
    if (next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    onSplit(next)
  }
  return (
    <>
      <div ref={side} className={css['side']} style={{ clipPath: `inset(0 ${100 - split}% 0 0)` }}>
        <div className={css['original']} style={placed}>
          <Original url={url} board={board} alt="原图" />
        </div>
        <span className={css['tag']}>原图</span>
      </div>
      <div className={css['divider']} onPointerDown={grab}>
        <Divider split={split} after={after} onKeyDown={press} />
      </div>
    </>
  )
}
