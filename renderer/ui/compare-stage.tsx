import { ChevronsLeftRight, ImageOff } from 'lucide-react'
import type { KeyboardEvent, PointerEvent } from 'react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import css from './compare-stage.module.css'
import * as geometry from './compare-geometry.ts'

/** One side's picture: its size in image pixels once it has loaded. */
export interface Side {
  readonly label: string
  readonly url: string
  readonly loaded: geometry.Size | 'failed' | undefined
}

interface Props {
  readonly name: string
  /** Undefined where only the result can be shown. */
  readonly before: Side | undefined
  readonly after: Side
  /** The size both sides are shown at, in image pixels; undefined while loading and after a failure. */
  readonly natural: geometry.Size | undefined
  readonly zoom: geometry.Zoom
  readonly onZoom: (zoom: geometry.Zoom) => void
  readonly onSettle: (url: string, loaded: geometry.Size | 'failed') => void
  readonly onRetry: () => void
}

/** An arrow key of ours: unhandled so far, and no shortcut of the browser. */
export const isPlain = (event: KeyboardEvent): boolean => !event.defaultPrevented && !event.altKey && !event.ctrlKey && !event.metaKey

/** The stage's inner size as it changes, and its wheel: React's own wheel handler is passive and could not stop the page from zooming. */
function useStage(onWheel: (event: WheelEvent) => void) {
  const stage = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState<geometry.Size>()
  const turn = useEffectEvent(onWheel)
  useEffect(() => {
    const element = stage.current
    if (!element) return undefined
    const listener = (event: WheelEvent) => turn(event)
    const observer = new ResizeObserver((entries) => {
      for (const { contentRect } of entries) setRoom({ width: contentRect.width, height: contentRect.height })
    })
    observer.observe(element)
    element.addEventListener('wheel', listener, { passive: false })
    return () => {
      observer.disconnect()
      element.removeEventListener('wheel', listener)
    }
  }, [])
  return { stage, room }
}

function useSplitAndPan({ before, natural, zoom, onZoom }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const drag = useRef<((pointer: { clientX: number; clientY: number }) => void) | undefined>(undefined)
  const wheelLeftPx = useRef(0)
  const [split, setSplit] = useState(50)
  // Kept from one picture to the next, so that a series is compared at one place.
  const [panned, setPanned] = useState(geometry.centre)
  const { stage, room } = useStage((event) => {
    event.preventDefault()
    if (!view || !stage.current) return
    const unitPx = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : 16
    const [deltaX, deltaY] = [event.deltaX * unitPx, event.deltaY * unitPx]
    if (!event.ctrlKey) {
      setPanned(geometry.panBy(view, { x: -deltaX, y: -deltaY }))
      return
    }
    const { steps, leftPx } = geometry.wheelStep(wheelLeftPx.current, deltaY)
    wheelLeftPx.current = leftPx
    const next = geometry.zoomAfter(zoom, steps)
    if (next === zoom) return
    const box = stage.current.getBoundingClientRect()
    const pointer = { x: event.clientX - box.left - box.width / 2, y: event.clientY - box.top - box.height / 2 }
    setPanned(geometry.panAround(pointer, view, next, window.devicePixelRatio))
    onZoom(next)
  })
  const view = natural && room && room.width > 0 ? geometry.layOut(natural, room, zoom, panned, window.devicePixelRatio) : undefined

  const startDrag = (event: PointerEvent) => {
    if (event.button !== 0 || drag.current || !view || !frame.current) return
    event.currentTarget.setPointerCapture(event.pointerId)
    const { left, width } = frame.current.getBoundingClientRect()
    const isOnDivider = event.target instanceof Element && event.target.closest('[data-divider]') !== null
    const gripPx = isOnDivider ? event.clientX - left - (split / 100) * width : 0
    drag.current =
      before && (isOnDivider || !view.canPan)
        ? ({ clientX }) => setSplit(geometry.splitAt(clientX - left - gripPx, width))
        : ({ clientX, clientY }) => setPanned(geometry.panBy(view, { x: clientX - event.clientX, y: clientY - event.clientY }))
    drag.current(event)
  }
  const endDrag = () => {
    drag.current = undefined
  }
  const panByKey = (event: KeyboardEvent) => {
    const move = isPlain(event) ? geometry.panForKey(event.key, event.shiftKey) : undefined
    if (!view?.canPan || !move) return
    event.preventDefault()
    setPanned(geometry.panBy(view, move))
  }
  const splitByKey = (event: KeyboardEvent) => {
    const next = isPlain(event) ? geometry.splitForKey(event.key, event.shiftKey, split) : undefined
    if (next === undefined) return
    event.preventDefault()
    setSplit(next)
  }
  return { stage, frame, drag, view, split, startDrag, endDrag, panByKey, splitByKey }
}

interface DividerProps {
  /** Percent from the left, where the original ends. */
  readonly split: number
  /** What is to the right of it. */
  readonly after: string
  readonly onKeyDown: (event: KeyboardEvent) => void
}

/** The line between a picture and what became of it, moved by keys; a pointer is followed by whoever shows it. */
export function Divider({ split, after, onKeyDown }: DividerProps) {
  const percent = Math.round(split)
  return (
    <div className={css['divider']} style={{ transform: `translateX(${split}%)` }}>
      <span className={css['line']} data-divider />
      <span
        className={css['handle']}
        data-divider
        role="slider"
        tabIndex={0}
        aria-label="对比分割线"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={`左侧原图 ${percent}%，右侧${after} ${100 - percent}%`}
        onKeyDown={onKeyDown}
      >
        <ChevronsLeftRight size={20} aria-hidden />
      </span>
    </div>
  )
}

function Waiting({ hasFailed, onRetry }: { readonly hasFailed: boolean; readonly onRetry: () => void }) {
  return (
    <div className={css['waiting']}>
      {hasFailed && <ImageOff size={32} aria-hidden />}
      <p role="status">{hasFailed ? '图片加载失败，请重试' : '图片加载中…'}</p>
      {hasFailed && (
        <button type="button" className={css['retry']} onClick={onRetry}>
          重试
        </button>
      )}
    </div>
  )
}

export function CompareStage(props: Props) {
  const { name, before, after, natural, onSettle, onRetry } = props
  const { stage, frame, drag, view, split, startDrag, endDrag, panByKey, splitByKey } = useSplitAndPan(props)
  const canPan = view?.canPan === true

  const layer = ({ label, url, loaded }: Side, clipPath: string) => (
    <div className={css['side']} style={{ clipPath }}>
      <img
        key={url}
        className={typeof loaded === 'object' && natural && !geometry.isSameShape(loaded, natural) ? css['cropped'] : undefined}
        src={url}
        alt={`${name}（${label}）`}
        draggable={false}
        style={view && { ...view.shown, transform: `translate(${view.corner.x}px, ${view.corner.y}px)` }}
        onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) => onSettle(url, { width, height })}
        onError={() => onSettle(url, 'failed')}
      />
      <span className={css['tag']}>{label}</span>
    </div>
  )
  return (
    <div
      ref={stage}
      className={css['stage']}
      role="group"
      tabIndex={canPan ? 0 : -1}
      aria-label={canPan ? '图片区域，可用方向键移动' : '图片区域'}
      data-drag={canPan ? 'pan' : before && 'split'}
      onKeyDown={panByKey}
      onPointerDown={startDrag}
      onPointerMove={(event) => drag.current?.(event)}
      onLostPointerCapture={endDrag}
    >
      {after.loaded !== 'failed' && (
        <div
          ref={frame}
          className={css['frame']}
          data-waiting={!view || undefined}
          style={view && { ...view.frame, transform: `translate(${view.frameCorner.x}px, ${view.frameCorner.y}px)` }}
        >
          {layer(after, before ? `inset(0 0 0 ${split}%)` : 'none')}
          {before && layer(before, `inset(0 ${100 - split}% 0 0)`)}
          {before && <Divider split={split} after={after.label} onKeyDown={splitByKey} />}
        </div>
      )}
      {!natural && <Waiting hasFailed={after.loaded === 'failed'} onRetry={onRetry} />}
    </div>
  )
}
