import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { dragged, LEAST, MOST, widened, type WidthDraft } from './unstretch-draft.ts'
import css from './unstretch-editor.module.css'
import type { ShownPicture } from './use-edited-row.ts'
import { followPointer } from '../ui/follow-pointer.ts'

interface Props {
  readonly picture: ShownPicture
  readonly draft: WidthDraft
  readonly hasCircle: boolean
  readonly onChange: (draft: WidthDraft) => void
}

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1 }

/** A picture at its new width, with a handle on each side that is pulled by pointer or by arrow keys (Shift: ten percent). */
export function UnstretchStage({ picture, draft, hasCircle, onChange }: Props) {
  const stage = useRef<HTMLDivElement>(null)
  const ratio = ((picture.width / picture.height) * draft.width) / 100
  const grab = (event: PointerEvent<HTMLElement>, side: 1 | -1): void => {
    event.stopPropagation()
    const { clientX } = event
    const shown = stage.current?.clientWidth ?? picture.width
    followPointer(event, (to) => onChange(dragged(draft, side * (to.clientX - clientX), shown)))
  }
  const step = (event: KeyboardEvent): void => {
    const by = steps[event.key]
    if (by === undefined) return
    event.preventDefault()
    onChange(widened(draft, draft.width + by * (event.shiftKey ? 10 : 0.5)))
  }
  return (
    <div ref={stage} className={css['picture']} style={{ width: `min(100cqw, ${100 * ratio}cqh)`, aspectRatio: String(ratio) }}>
      <img src={picture.url} alt="" draggable={false} />
      {hasCircle && <Circle />}
      {([-1, 1] as const).map((side) => (
        <span
          key={side}
          className={css['handle']}
          data-side={side === 1 ? 'right' : 'left'}
          role="slider"
          tabIndex={0}
          aria-label={side === 1 ? '右边' : '左边'}
          aria-orientation="horizontal"
          aria-valuemin={LEAST}
          aria-valuemax={MOST}
          aria-valuenow={draft.width}
          aria-valuetext={`宽度 ${draft.width.toFixed(1)}%`}
          onKeyDown={step}
          onPointerDown={(event) => grab(event, side)}
        />
      ))}
    </div>
  )
}

const arrows: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

const kept = (percent: number): number => Math.min(100, Math.max(0, percent))

/** A true circle on the picture, to be laid over what should be round: dragged, or moved by arrow keys. */
function Circle() {
  const [place, setPlace] = useState({ x: 50, y: 50 })
  const grab = (event: PointerEvent<HTMLElement>): void => {
    event.stopPropagation()
    const { clientX, clientY } = event
    const { clientWidth = 1, clientHeight = 1 } = event.currentTarget.parentElement ?? {}
    followPointer(event, (to) =>
      setPlace({
        x: kept(place.x + (100 * (to.clientX - clientX)) / clientWidth),
        y: kept(place.y + (100 * (to.clientY - clientY)) / clientHeight),
      }),
    )
  }
  const step = (event: KeyboardEvent): void => {
    const [x, y] = arrows[event.key] ?? []
    if (x === undefined || y === undefined) return
    event.preventDefault()
    setPlace({ x: kept(place.x + x), y: kept(place.y + y) })
  }
  return (
    <div
      className={css['circle']}
      style={{ left: `${place.x}%`, top: `${place.y}%` }}
      role="group"
      aria-label="圆形参照"
      tabIndex={0}
      onKeyDown={step}
      onPointerDown={grab}
    />
  )
}
