import { useRef, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import { dragged, type Bounds, type Box, type Handle } from './crop-geometry.ts'
import css from './crop-stage.module.css'
import { followPointer } from './follow-pointer.ts'

interface Props {
  readonly box: Box
  readonly bounds: Bounds
  readonly onChange: (box: Box) => void
  /** The picture, filling the stage. */
  readonly children: ReactNode
  /** Said to screen readers of the box. */
  readonly label: string
  /** Whether only the circle within the box is kept. */
  readonly isRound?: boolean
}

const corners: readonly Handle[] = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w']
const steps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

const percent = (part: number, whole: number): string => `${(100 * part) / whole}%`

/** A picture with a box on it that is moved and pulled by pointer or by arrow keys (Shift: ten pixels; Alt: its size). */
export function CropStage({ box, bounds, onChange, children, label, isRound = false }: Props) {
  const stage = useRef<HTMLDivElement>(null)
  const { picture } = bounds
  const grab = (event: PointerEvent<HTMLElement>, handle: Handle): void => {
    event.stopPropagation()
    const { clientX, clientY } = event
    const perPixel = picture.width / (stage.current?.clientWidth ?? picture.width)
    followPointer(event, (to) =>
      onChange(dragged(box, handle, (to.clientX - clientX) * perPixel, (to.clientY - clientY) * perPixel, bounds)),
    )
  }
  const step = (event: KeyboardEvent): void => {
    const [x, y] = steps[event.key] ?? []
    if (x === undefined || y === undefined) return
    event.preventDefault()
    const by = event.shiftKey ? 10 : 1
    onChange(dragged(box, event.altKey ? 'se' : 'move', x * by, y * by, bounds))
  }
  const place = {
    left: percent(box.left, picture.width),
    top: percent(box.top, picture.height),
    width: percent(box.width, picture.width),
    height: percent(box.height, picture.height),
  }
  return (
    <div
      ref={stage}
      className={css['stage']}
      style={{ width: `min(100cqw, ${(100 * picture.width) / picture.height}cqh)`, aspectRatio: `${picture.width} / ${picture.height}` }}
    >
      <div className={css['clip']}>
        {children}
        <div className={css['shade']} style={place} data-round={isRound || undefined} />
      </div>
      <div
        className={css['box']}
        style={place}
        role="group"
        aria-roledescription="裁剪框"
        aria-label={`${label}，宽 ${Math.round(box.width)}，高 ${Math.round(box.height)}，左 ${Math.round(box.left)}，上 ${Math.round(box.top)}`}
        tabIndex={0}
        onKeyDown={step}
        onPointerDown={(event) => grab(event, 'move')}
      >
        {corners.map((handle) => (
          <span key={handle} className={css['handle']} data-at={handle} onPointerDown={(event) => grab(event, handle)} />
        ))}
      </div>
    </div>
  )
}
