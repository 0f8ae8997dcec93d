import { useRef, useState, type KeyboardEvent, type PointerEvent, type RefObject } from 'react'
import css from './effect-stage.module.css'
import { useHand } from '../stage/use-hand.ts'
import type { StageView } from '../stage/use-stage-view.ts'
import { ViewBar } from '../stage/view-bar.tsx'
import { panForKey, splitAt, splitForKey } from '../ui/compare-geometry.ts'
import { Divider, isPlain } from '../ui/compare-stage.tsx'
import { followPointer } from '../ui/follow-pointer.ts'

interface Props {
  readonly stageView: StageView
  /** The file's address. */
  readonly original: string
  /** The address of what became of it, where that is what one would get now. */
  readonly result: string | undefined
  readonly canvas: RefObject<HTMLCanvasElement | null>
  /** What is right of the divider. */
  readonly after: string
  readonly isBusy: boolean
}

const nothing = (): void => {}

/** A picture and what an effect makes of it, left and right of a line; zoomed and moved by hand or keys. */
export function EffectStage({ stageView, original, result, canvas, after, isBusy }: Props) {
  const { stage, view, panFrom } = stageView
  const [split, setSplit] = useState<number | undefined>(50)
  const side = useRef<HTMLDivElement>(null)
  const hand = useHand({ stage: stageView, canvas, isMoving: true, onPaint: nothing, onStroke: nothing, onHover: nothing })
  const placed = view && { ...view.shown, transform: `translate(${view.corner.x}px, ${view.corner.y}px)` }
  const press = (event: KeyboardEvent): void => {
    const move = view && event.target === event.currentTarget && isPlain(event) ? panForKey(event.key, event.shiftKey) : undefined
    if (!view || !move) return
    event.preventDefault()
    panFrom(view, move)
  }
  const grab = (event: PointerEvent<HTMLElement>): void => {
    event.stopPropagation()
    const box = side.current?.getBoundingClientRect()
    if (box) followPointer(event, ({ clientX }) => setSplit(splitAt(clientX - box.left, box.width)))
  }
  const slide = (event: KeyboardEvent): void => {
    const next = split !== undefined && isPlain(event) ? splitForKey(event.key, event.shiftKey, split) : undefined
    if (next === undefined) return
    event.preventDefault()
    event.stopPropagation()
    setSplit(next)
  }
  return (
    <div className={css['area']}>
      <div
        ref={stage}
        className={css['stage']}
        role="group"
        aria-label={view?.canPan === true ? '图片区域，可用方向键移动' : '图片区域'}
        tabIndex={0}
        data-pans={view?.canPan === true || undefined}
        data-busy={isBusy || undefined}
        onKeyDown={press}
        {...hand}
      >
        <div
          className={css['frame']}
          data-waiting={!view || undefined}
          style={view && { ...view.frame, transform: `translate(${view.frameCorner.x}px, ${view.frameCorner.y}px)` }}
        >
          <div className={css['picture']} style={placed}>
            <img src={original} alt="" draggable={false} />
            {result !== undefined && <img src={result} alt={after} draggable={false} />}
            <canvas ref={canvas} width={1} height={1} hidden={result !== undefined} />
          </div>
          <span className={css['tag']} data-side="after">
            {after}
          </span>
          {split !== undefined && placed && (
            <>
              <div ref={side} className={css['side']} style={{ clipPath: `inset(0 ${100 - split}% 0 0)` }}>
                <div className={css['picture']} style={placed}>
                  <img src={original} alt="原图" draggable={false} />
                </div>
                <span className={css['tag']}>原图</span>
              </div>
              <div className={css['divider']} onPointerDown={grab}>
                <Divider split={split} after={after} onKeyDown={slide} />
              </div>
            </>
          )}
        </div>
        {isBusy && (
          <span className={css['busy']} role="status">
            正在计算…
          </span>
        )}
      </div>
      <ViewBar view={stageView} isComparing={split !== undefined} onCompare={(isOn) => setSplit(isOn ? 50 : undefined)} />
    </div>
  )
}
