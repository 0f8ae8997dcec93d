import { useRef, type KeyboardEvent, type PointerEvent } from 'react'
import css from './head-stage.module.css'
import { followPointer } from './follow-pointer.ts'

export interface StageLine<Key extends string> {
  readonly key: Key
  readonly label: string
  /** Percent from the top, or from the left of an upright line. */
  readonly at: number
  readonly least: number
  readonly most: number
  readonly isUpright: boolean
}

interface Props<Key extends string> {
  readonly url: string
  readonly width: number
  readonly height: number
  /** How far the picture is turned back, in degrees clockwise. */
  readonly turn: number
  readonly lines: readonly StageLine<Key>[]
  /** What is taken of the picture, in its pixels; it may reach beyond. */
  readonly frame: { readonly left: number; readonly top: number; readonly width: number; readonly height: number }
  /** Whether the lines do not count: the tool is to find them, and has not yet. */
  readonly isFaint: boolean
  readonly onMove: (key: Key, to: number) => void
}

const percent = (part: number, whole: number): string => `${(100 * part) / whole}%`
const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }
/** Percent of the picture that an arrow key moves a line by; ten times that with Shift. */
const STEP = 0.2

/** A picture with lines on it that are moved by pointer or by arrow keys, and the frame they make. */
export function HeadStage<Key extends string>({ url, width, height, turn, lines, frame, isFaint, onMove }: Props<Key>) {
  const stage = useRef<HTMLDivElement>(null)
  const grab = (event: PointerEvent<HTMLElement>, { key, isUpright }: StageLine<Key>): void => {
    const place = stage.current?.getBoundingClientRect()
    if (!place) return
    followPointer(event, (to) =>
      onMove(key, 100 * (isUpright ? (to.clientX - place.left) / place.width : (to.clientY - place.top) / place.height)),
    )
  }
  const press = (event: KeyboardEvent, { key, at }: StageLine<Key>): void => {
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    onMove(key, at + step * STEP * (event.shiftKey ? 10 : 1))
  }
  const place = {
    left: percent(frame.left, width),
    top: percent(frame.top, height),
    width: percent(frame.width, width),
    height: percent(frame.height, height),
  }
  return (
    <div
      ref={stage}
      className={css['stage']}
      data-faint={isFaint || undefined}
      style={{ width: `min(100cqw, ${(100 * width) / height}cqh)`, aspectRatio: `${width} / ${height}` }}
    >
      <div className={css['clip']}>
        <img src={url} alt="" draggable={false} style={{ transform: `rotate(${turn}deg)` }} />
        <div className={css['frame']} style={place} />
      </div>
      {lines.map((line) => (
        <div
          key={line.key}
          className={css['line']}
          data-upright={line.isUpright || undefined}
          style={line.isUpright ? { left: `${line.at}%` } : { top: `${line.at}%` }}
          role="slider"
          tabIndex={0}
          aria-label={line.label}
          aria-orientation={line.isUpright ? 'horizontal' : 'vertical'}
          aria-valuemin={line.least}
          aria-valuemax={line.most}
          aria-valuenow={line.at}
          aria-valuetext={`${line.at.toFixed(1)}%`}
          onPointerDown={(event) => grab(event, line)}
          onKeyDown={(event) => press(event, line)}
        >
          <span>{line.label}</span>
        </div>
      ))}
    </div>
  )
}
