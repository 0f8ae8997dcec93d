import { useEffect, useState } from 'react'
import type { Board, Canvases } from './board.ts'
import type { Brush } from '../stage/brush.ts'
import css from './matte-stage.module.css'
import { Original, OriginalSide } from '../stage/original-side.tsx'
import { useCross } from '../stage/use-cross.ts'
import { useHand } from '../stage/use-hand.ts'
import { useStageView } from '../stage/use-stage-view.ts'
import { ViewBar } from '../stage/view-bar.tsx'
import { overlap, wholeOf } from '../stage/window.ts'
import type { View } from '../ui/compare-geometry.ts'
import type { Rect } from '#shared/resize'

interface Props {
  readonly board: Board
  readonly canvases: Canvases
  /** The original's address. */
  readonly original: string
  readonly brush: Brush
  readonly isMoving: boolean
  /** Parts of the picture's width and height: of a stroke so far, or none for one that was taken back. */
  readonly onPaint: (points: readonly number[] | undefined) => void
  readonly onStroke: (points: readonly number[]) => void
  /** What is looked at so closely that the preview is too small for it, in pixels of the picture. */
  readonly onLook: (area: Rect | undefined) => void
}

/** More than this at full size would take too long for what the eye gains. */
const MOST_CLOSE_PIXELS = 6e6

const percent = (part: number, whole: number): string => `${(100 * part) / whole}%`

/** What is seen of a picture that is shown larger than its preview is, in its pixels; undefined where the preview will do. */
function closeUp({ corner, frame, scale }: View, { preview, full, area }: Board, shownZoom: number): Rect | undefined {
  const perPixel = full.width / preview.width
  if (perPixel <= 1 || shownZoom * perPixel <= 1.1 || (frame.width * frame.height) / scale ** 2 > MOST_CLOSE_PIXELS) return undefined
  const left = Math.floor(area.left * perPixel - corner.x / scale)
  const top = Math.floor(area.top * perPixel - corner.y / scale)
  const seen = { left, top, width: Math.ceil(frame.width / scale) + 1, height: Math.ceil(frame.height / scale) + 1 }
  return overlap(seen, wholeOf(full))
}

/** A cut-out that is painted on by hand or by keys, zoomed, moved, and compared with its original. */
export function MatteStage({ board, canvases, original, brush, isMoving, onPaint, onStroke, onLook }: Props) {
  const { preview, full, area, frame } = board
  const perPixel = full.width / preview.width
  const stageView = useStageView({ width: area.width * perPixel, height: area.height * perPixel })
  const { stage, view, panFrom } = stageView
  const [split, setSplit] = useState<number>()
  const inPicture = (points: readonly number[]): readonly number[] =>
    points.map((at, n) => (n % 2 === 0 ? (area.left + at * area.width) / preview.width : (area.top + at * area.height) / preview.height))
  const close = view && closeUp(view, board, stageView.shownZoom)
  const closeKey = JSON.stringify(close)
  // A view that is made anew and shows the same is none to look at anew.
  useEffect(() => onLook(close), [closeKey, onLook])
  const cross = useCross({ view, isMoving, panFrom, onDab: ({ x, y }) => onStroke(inPicture([x, y])) })
  const hand = useHand({
    stage: stageView,
    canvas: canvases.canvas,
    isMoving,
    onPaint: (points) => onPaint(points && inPicture(points)),
    onStroke: (points) => onStroke(inPicture(points)),
    onHover: cross.hover,
  })
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
        onKeyDown={cross.press}
        onBlur={cross.leave}
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
            <canvas ref={canvases.canvas} />
            <canvas ref={canvases.detail} width={1} height={1} hidden={close === undefined} />
            {brush.mode === 'keep' && split === undefined && (
              <div className={css['ghost']}>
                <Original url={original} board={board} alt="" />
              </div>
            )}
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
          {split !== undefined && placed && (
            <OriginalSide url={original} board={board} placed={placed} split={split} onSplit={setSplit} after="抠图后" />
          )}
        </div>
        {cross.at && !isMoving && (
          <i
            className={css['ring']}
            data-keys={cross.isByKeys || undefined}
            style={{ width: diameter, height: diameter, transform: `translate(${cross.at.x}px, ${cross.at.y}px) translate(-50%, -50%)` }}
          />
        )}
      </div>
      <ViewBar view={stageView} isComparing={split !== undefined} onCompare={(isOn) => setSplit(isOn ? 50 : undefined)} />
    </div>
  )
}
