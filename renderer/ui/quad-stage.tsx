import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { followPointer } from './follow-pointer.ts'
import css from './quad-stage.module.css'

/** A place as parts of the picture's width and height. */
interface Place {
  readonly x: number
  readonly y: number
}

/** Four corners from the left top one, clockwise. */
export type Corners = readonly [Place, Place, Place, Place]

interface Props {
  readonly url: string
  readonly width: number
  readonly height: number
  readonly corners: Corners
  readonly onMove: (corner: number, to: Place) => void
}

const names = ['左上角', '右上角', '右下角', '左下角'] as const
const steps: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}
/** How much closer the glass shows what lies under a corner, and its diameter in pixels. */
const CLOSER = 3
const GLASS = 120

const within = (value: number): number => Math.min(1, Math.max(0, value))
const percent = (part: number): string => `${100 * part}%`

/** A picture with four corners on it that are moved by pointer, under a magnifying glass, or by arrow keys (a pixel; ten with Shift). */
export function QuadStage({ url, width, height, corners, onMove }: Props) {
  const stage = useRef<HTMLDivElement>(null)
  const [held, setHeld] = useState<{ readonly corner: number; readonly wide: number }>()
  const grab = (event: PointerEvent<HTMLElement>, corner: number): void => {
    const place = stage.current?.getBoundingClientRect()
    const start = corners[corner]
    if (!place || !start) return
    const target = event.currentTarget
    setHeld({ corner, wide: place.width })
    const { clientX, clientY } = event
    followPointer(event, (to) =>
      onMove(corner, {
        x: within(start.x + (to.clientX - clientX) / place.width),
        y: within(start.y + (to.clientY - clientY) / place.height),
      }),
    )
    for (const end of ['pointerup', 'pointercancel']) target.addEventListener(end, () => setHeld(undefined), { once: true })
  }
  const press = (event: KeyboardEvent, corner: number): void => {
    const [x, y] = steps[event.key] ?? []
    const from = corners[corner]
    if (x === undefined || y === undefined || !from) return
    event.preventDefault()
    const by = event.shiftKey ? 10 : 1
    onMove(corner, { x: within(from.x + (x * by) / width), y: within(from.y + (y * by) / height) })
  }
  const looked = held && corners[held.corner]
  return (
    <div
      ref={stage}
      className={css['stage']}
      style={{ width: `min(100cqw, ${(100 * width) / height}cqh)`, aspectRatio: `${width} / ${height}` }}
    >
      <img src={url} alt="" draggable={false} />
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden>
        <path d={`M0 0H${width}V${height}H0ZM${corners.map(({ x, y }) => `${x * width} ${y * height}`).join('L')}Z`} />
        <polygon points={corners.map(({ x, y }) => `${x * width},${y * height}`).join(' ')} />
      </svg>
      {corners.map(({ x, y }, corner) => (
        <button
          key={names[corner]}
          type="button"
          className={css['corner']}
          style={{ left: percent(x), top: percent(y) }}
          aria-label={`${names[corner]}，横 ${(100 * x).toFixed(1)}%，纵 ${(100 * y).toFixed(1)}%`}
          onPointerDown={(event) => grab(event, corner)}
          onKeyDown={(event) => press(event, corner)}
        />
      ))}
      {held && looked && <Glass url={url} at={looked} wide={held.wide} high={(held.wide * height) / width} />}
    </div>
  )
}

/** What lies under a corner, larger; in the half of the picture where the corner is not. */
function Glass({ url, at, wide, high }: { readonly url: string; readonly at: Place; readonly wide: number; readonly high: number }) {
  return (
    <div className={css['glass']} data-right={at.x < 0.5 || undefined} aria-hidden>
      <img
        src={url}
        alt=""
        style={{
          width: wide * CLOSER,
          height: high * CLOSER,
          left: GLASS / 2 - at.x * wide * CLOSER,
          top: GLASS / 2 - at.y * high * CLOSER,
        }}
      />
    </div>
  )
}
