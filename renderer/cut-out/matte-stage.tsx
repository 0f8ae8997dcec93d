import { useState, type KeyboardEvent, type RefObject } from 'react'
import type { Brush } from './brush.ts'
import css from './matte-stage.module.css'
import { OriginalSide } from './original-side.tsx'
import type { Board } from './use-compositor.ts'
import { useHand } from './use-hand.ts'
import { useStageView } from './use-stage-view.ts'
import { ViewBar } from './view-bar.tsx'
import { panForKey, type Point, type View } from '../ui/compare-geometry.ts'
import { isPlain } from '../ui/compare-stage.tsx'

interface Props {
  readonly board: Board
  readonly canvas: RefObject<HTMLCanvasElement | null>
  /** The original's address. */
  readonly original: string
  readonly brush: Brush
  readonly isMoving: boolean
  /** Parts of the picture's width and height: of a stroke so far, or none for one that was taken back. */
  readonly onPaint: (points: readonly number[] | undefined) => void
  readonly onStroke: (points: readonly number[]) => void
}

/** CSS px that an arrow key moves the crosshair by, without and with Shift. */
const STEP_PX = 6
const WIDE_STEP_PX = 30
const ways: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

const percent = (part: number, whole: number): string => `${(100 * part) / whole}%`
const within = (value: number): number => Math.min(1, Math.max(0, value))

/** Where a part of the picture's canvas lies on the stage. */
const onStage = ({ x, y }: Point, { frameCorner, corner, shown }: View): Point => ({
  x: frameCorner.x + corner.x + x * shown.width,
  y: frameCorner.y + corner.y + y * shown.height,
})

/** A cut-out that is painted on by hand or by keys, zoomed, moved, and compared with its original. */
export function MatteStage({ board, canvas, original, brush, isMoving, onPaint, onStroke }: Props) {
  const { preview, full, area, frame } = board
  const perPixel = full.width / preview.width
  const stageView = useStageView({ width: area.width * perPixel, height: area.height * perPixel })
  const { stage, view, panFrom } = stageView
  const [pointer, setPointer] = useState<Point>()
  // In parts of the canvas; there while the keys are used.
  const [cross, setCross] = useState<Point>()
  const [split, setSplit] = useState<number>()
  const inPicture = (points: readonly number[]): readonly number[] =>
    points.map((at, n) => (n % 2 === 0 ? (area.left + at * area.width) / preview.width : (area.top + at * area.height) / preview.height))
  const hand = useHand({
    stage: stageView,
    canvas,
    isMoving,
    onPaint: (points) => onPaint(points && inPicture(points)),
    onStroke: (points) => onStroke(inPicture(points)),
    onHover: (at) => {
      setCross(undefined)
      setPointer(at)
    },
  })
  const press = (event: KeyboardEvent): void => {
    if (!view || event.target !== event.currentTarget || !isPlain(event)) return
    const here = cross ?? { x: 0.5, y: 0.5 }
    const [across, down] = ways[event.key] ?? []
    if (event.key === 'Enter' && !isMoving) {
      event.preventDefault()
      setCross(here)
      return onStroke(inPicture([here.x, here.y]))
    }
    if (across === undefined || down === undefined) return
    event.preventDefault()
    const move = panForKey(event.key, event.shiftKey)
    if (isMoving && move) return panFrom(view, move)
    const px = event.shiftKey ? WIDE_STEP_PX : STEP_PX
    const next = { x: within(here.x + (across * px) / view.shown.width), y: within(here.y + (down * px) / view.shown.height) }
    const at = onStage(next, view)
    // The picture follows where the crosshair would leave the stage.
    const isOut =
      at.x < view.frameCorner.x ||
      at.y < view.frameCorner.y ||
      at.x > view.frameCorner.x + view.frame.width ||
      at.y > view.frameCorner.y + view.frame.height
    if (isOut) panFrom(view, { x: -across * px, y: -down * px })
    setPointer(undefined)
    setCross(next)
  }
  const ringAt = view && cross ? onStage(cross, view) : pointer
  const diameter = brush.size * Math.max(full.width, full.height) * (view?.scale ?? 1)
  const placed = view && { ...view.shown, transform: `translate(${view.corner.x}px, ${view.corner.y}px)` }
  return (
    <div className={css['area']}>
      <div
        ref={stage}
        className={css['stage']}
        role="application"
        aria-label="画布"
        aria-describedby="cut-out-keys"
        tabIndex={0}
        data-moving={isMoving || undefined}
        onKeyDown={press}
        onBlur={() => setCross(undefined)}
        {...hand}
      >
        <p id="cut-out-keys" className="visually-hidden">
          方向键移动画笔，按住 Shift 移动更快，回车键涂抹，方括号键改变笔刷大小
        </p>
        <div
          className={css['frame']}
          data-waiting={!view || undefined}
          style={view && { ...view.frame, transform: `translate(${view.frameCorner.x}px, ${view.frameCorner.y}px)` }}
        >
          <div className={css['picture']} style={placed}>
            <canvas ref={canvas} />
            <div
              className={css['crop']}
              hidden={frame.width === preview.width && frame.height === preview.height && frame.left === 0 && frame.top === 0}
              style={{
                left: percent(frame.left - area.left, area.width),
                top: percent(frame.top - area.top, area.height),
                width: percent(frame.width, area.width),
                height: percent(frame.height, area.height),
              }}
            />
          </div>
          {split !== undefined && placed && <OriginalSide url={original} board={board} placed={placed} split={split} onSplit={setSplit} />}
        </div>
        {ringAt && !isMoving && (
          <i
            className={css['ring']}
            data-keys={cross !== undefined || undefined}
            style={{ width: diameter, height: diameter, transform: `translate(${ringAt.x}px, ${ringAt.y}px) translate(-50%, -50%)` }}
          />
        )}
      </div>
      <ViewBar view={stageView} isComparing={split !== undefined} onCompare={(isOn) => setSplit(isOn ? 50 : undefined)} />
    </div>
  )
}
