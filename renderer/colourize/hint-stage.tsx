import { useEffect, useRef, useState, type RefObject } from 'react'
import { drawHints } from './hint-strokes.ts'
import css from './hint-stage.module.css'
import { OriginalSide } from '../stage/original-side.tsx'
import { useCross } from '../stage/use-cross.ts'
import { useHand } from '../stage/use-hand.ts'
import { useStageView } from '../stage/use-stage-view.ts'
import { ViewBar } from '../stage/view-bar.tsx'
import { wholeOf } from '../stage/window.ts'
import type { Hint } from '#shared/hints'
import type { Size } from '#shared/resize'

interface Props {
  readonly size: Size
  readonly canvas: RefObject<HTMLCanvasElement | null>
  /** The photo's address. */
  readonly original: string
  readonly hints: readonly Hint[]
  /** Whether the strokes are seen, not only what they do. */
  readonly showsHints: boolean
  /** What is painted with; none where the hand takes something up or away. */
  readonly brush: Pick<Hint, 'colour' | 'size'> | undefined
  readonly isMoving: boolean
  readonly isBusy: boolean
  /** Parts of the photo's width and height. */
  readonly onStroke: (points: readonly number[]) => void
}

/** A photo that is coloured by hand or by keys, zoomed, moved, and compared with what it was. */
export function HintStage({ size, canvas, original, hints, showsHints, brush, isMoving, isBusy, onStroke }: Props) {
  const stageView = useStageView(size)
  const { stage, view, panFrom } = stageView
  const marks = useRef<HTMLCanvasElement>(null)
  const [live, setLive] = useState<readonly number[]>()
  const [split, setSplit] = useState<number>()
  const cross = useCross({ view, isMoving, panFrom, onDab: ({ x, y }) => onStroke([x, y]) })
  const hand = useHand({
    stage: stageView,
    canvas,
    isMoving,
    // The gesture's own list grows under way.
    onPaint: (points) => setLive(points && brush && [...points]),
    onStroke: (points) => {
      setLive(undefined)
      onStroke(points)
    },
    onHover: cross.hover,
  })
  const shown = [...(showsHints ? hints : []), ...(live && brush ? [{ ...brush, points: live }] : [])]
  const { width, height } = size
  useEffect(() => {
    const context = marks.current?.getContext('2d')
    if (context) drawHints(context, shown, { width, height })
  })
  const placed = view && { ...view.shown, transform: `translate(${view.corner.x}px, ${view.corner.y}px)` }
  const diameter = (brush?.size ?? 0) * Math.max(width, height) * (view?.scale ?? 1)
  return (
    <div className={css['area']}>
      <div
        ref={stage}
        className={css['stage']}
        role="application"
        aria-label="画布"
        aria-describedby="hint-keys"
        tabIndex={0}
        data-moving={isMoving || undefined}
        data-picks={brush === undefined || undefined}
        data-busy={isBusy || undefined}
        onKeyDown={cross.press}
        onBlur={cross.leave}
        {...hand}
      >
        <p id="hint-keys" className="visually-hidden">
          方向键移动画笔，按住 Shift 移动更快，回车键涂抹，方括号键改变笔刷大小
        </p>
        <div
          className={css['frame']}
          data-waiting={!view || undefined}
          style={view && { ...view.frame, transform: `translate(${view.frameCorner.x}px, ${view.frameCorner.y}px)` }}
        >
          <div className={css['picture']} style={placed}>
            <canvas ref={canvas} width={width} height={height} />
            <canvas ref={marks} width={width} height={height} />
          </div>
          {split !== undefined && placed && (
            <OriginalSide
              url={original}
              board={{ preview: size, area: wholeOf(size) }}
              placed={placed}
              split={split}
              onSplit={setSplit}
              after="上色后"
            />
          )}
        </div>
        {cross.at && !isMoving && (
          <i
            className={css['ring']}
            data-keys={cross.isByKeys || undefined}
            style={{
              width: Math.max(diameter, 8),
              height: Math.max(diameter, 8),
              color: brush?.colour ?? '#ffffff',
              transform: `translate(${cross.at.x}px, ${cross.at.y}px) translate(-50%, -50%)`,
            }}
          />
        )}
        {isBusy && (
          <span className={css['busy']} role="status">
            正在上色…
          </span>
        )}
      </div>
      <ViewBar view={stageView} isComparing={split !== undefined} onCompare={(isOn) => setSplit(isOn ? 50 : undefined)} />
    </div>
  )
}
