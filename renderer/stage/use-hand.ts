import { useRef, type PointerEvent, type RefObject } from 'react'
import type { StageView } from './use-stage-view.ts'
import type { Point, View } from '../ui/compare-geometry.ts'

/** What a hand on the stage is doing. */
type Gesture =
  | { readonly kind: 'paint'; readonly points: number[] }
  | { readonly kind: 'pan'; readonly from: Point; readonly view: View }
  | { readonly kind: 'pinch'; readonly fromPx: number; readonly zoom: number; readonly middle: Point }

export interface HandProps {
  readonly stage: StageView
  readonly canvas: RefObject<HTMLCanvasElement | null>
  /** Whether the hand moves the picture and does not paint. */
  readonly isMoving: boolean
  /** Parts of the canvas's width and height, x and y in turn: of a stroke so far, of a finished one, or none for one that was taken back. */
  readonly onPaint: (points: readonly number[] | undefined) => void
  readonly onStroke: (points: readonly number[]) => void
  /** Where the pointer is on the stage; undefined where it isn't. */
  readonly onHover: (at: Point | undefined) => void
}

const middleOf = (points: readonly Point[]): Point => ({
  x: points.reduce((sum, { x }) => sum + x, 0) / points.length,
  y: points.reduce((sum, { y }) => sum + y, 0) / points.length,
})

const distanceOf = ([one, other]: readonly Point[]): number =>
  one && other ? Math.max(1, Math.hypot(one.x - other.x, one.y - other.y)) : 1

const pointOf = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => ({ x: clientX, y: clientY })

/** What begins with one more pointer on the stage. */
function begun({ button }: PointerEvent, points: readonly Point[], stage: StageView, isMoving: boolean): Gesture | undefined {
  const [first] = points
  if (!stage.view || !first) return undefined
  if (points.length > 1) return { kind: 'pinch', fromPx: distanceOf(points), zoom: stage.shownZoom, middle: middleOf(points) }
  if (isMoving || button === 1) return { kind: 'pan', from: first, view: stage.view }
  return button === 0 ? { kind: 'paint', points: [] } : undefined
}

/** Zooms and moves as two fingers do; where their middle is now. */
function pinched(
  stage: StageView,
  { zoom, fromPx, middle: before }: Gesture & { kind: 'pinch' },
  points: readonly Point[],
  place: DOMRect,
): Point {
  const middle = middleOf(points)
  const anchor = { x: middle.x - place.left - place.width / 2, y: middle.y - place.top - place.height / 2 }
  stage.zoomTo((zoom * distanceOf(points)) / fromPx, anchor, { x: middle.x - before.x, y: middle.y - before.y })
  return middle
}

/** One finger, a pen or the mouse paints; two fingers pan and zoom; the middle button and the tool for it move the picture. */
export function useHand({ stage, canvas, isMoving, onPaint, onStroke, onHover }: HandProps) {
  const pointers = useRef(new Map<number, Point>())
  const gesture = useRef<Gesture>(undefined)
  const isPlanned = useRef(false)
  const draw = (to: number[], moves: readonly { clientX: number; clientY: number }[]): void => {
    const box = canvas.current?.getBoundingClientRect()
    if (!box || box.width === 0) return
    for (const { clientX, clientY } of moves) to.push((clientX - box.left) / box.width, (clientY - box.top) / box.height)
    if (isPlanned.current) return
    isPlanned.current = true
    requestAnimationFrame(() => {
      isPlanned.current = false
      if (gesture.current?.kind === 'paint') onPaint(gesture.current.points)
    })
  }
  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId)
    pointers.current.set(event.pointerId, pointOf(event))
    const before = gesture.current
    gesture.current = begun(event, [...pointers.current.values()], stage, isMoving)
    if (gesture.current?.kind === 'paint') draw(gesture.current.points, [event])
    // The first of two fingers was not meant as a stroke.
    else if (before?.kind === 'paint') onPaint(undefined)
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    const place = event.currentTarget.getBoundingClientRect()
    onHover({ x: event.clientX - place.left, y: event.clientY - place.top })
    const now = gesture.current
    if (!now || !pointers.current.has(event.pointerId)) return
    pointers.current.set(event.pointerId, pointOf(event))
    if (now.kind === 'pan') return stage.panFrom(now.view, { x: event.clientX - now.from.x, y: event.clientY - now.from.y })
    if (now.kind === 'pinch') {
      gesture.current = { ...now, middle: pinched(stage, now, [...pointers.current.values()], place) }
      return
    }
    const moves = event.nativeEvent.getCoalescedEvents()
    draw(now.points, moves.length > 0 ? moves : [event])
  }
  const end = (event: PointerEvent<HTMLElement>, isDone: boolean): void => {
    pointers.current.delete(event.pointerId)
    const now = gesture.current
    // One finger left of two does not begin to paint.
    gesture.current = undefined
    if (now?.kind === 'paint') {
      if (isDone && now.points.length > 0) onStroke(now.points)
      else onPaint(undefined)
    }
    if (event.pointerType !== 'mouse') onHover(undefined)
  }
  return {
    onPointerDown,
    onPointerMove,
    onPointerUp: (event: PointerEvent<HTMLElement>) => end(event, true),
    onPointerCancel: (event: PointerEvent<HTMLElement>) => end(event, false),
    onPointerLeave: () => {
      if (!gesture.current) onHover(undefined)
    },
  }
}
