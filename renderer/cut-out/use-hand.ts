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

/** One finger, a pen or the mouse paints; two fingers pan and zoom; the middle button and the tool for it move the picture. */
export function useHand({ stage, canvas, isMoving, onPaint, onStroke, onHover }: HandProps) {
  const pointers = useRef(new Map<number, Point>())
  const gesture = useRef<Gesture>(undefined)
  const isPlanned = useRef(false)
  const partOf = ({ clientX, clientY }: { clientX: number; clientY: number }): readonly number[] => {
    const box = canvas.current?.getBoundingClientRect()
    return box && box.width > 0 ? [(clientX - box.left) / box.width, (clientY - box.top) / box.height] : []
  }
  const showSoon = (): void => {
    if (isPlanned.current) return
    isPlanned.current = true
    requestAnimationFrame(() => {
      isPlanned.current = false
      if (gesture.current?.kind === 'paint') onPaint(gesture.current.points)
    })
  }
  const begin = (event: PointerEvent): Gesture | undefined => {
    if (!stage.view) return undefined
    const points = [...pointers.current.values()]
    if (points.length === 2) return { kind: 'pinch', fromPx: distanceOf(points), zoom: stage.shownZoom, middle: middleOf(points) }
    if (points.length > 2) return gesture.current
    if (isMoving || event.button === 1) return { kind: 'pan', from: { x: event.clientX, y: event.clientY }, view: stage.view }
    return event.button === 0 ? { kind: 'paint', points: [...partOf(event)] } : undefined
  }
  const onPointerDown = (event: PointerEvent<HTMLElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId)
    pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
    const wasPainting = gesture.current?.kind === 'paint'
    gesture.current = begin(event)
    // The first of two fingers was not meant as a stroke.
    if (wasPainting && gesture.current?.kind !== 'paint') onPaint(undefined)
    if (gesture.current?.kind === 'paint') showSoon()
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    const place = event.currentTarget.getBoundingClientRect()
    onHover({ x: event.clientX - place.left, y: event.clientY - place.top })
    const now = gesture.current
    if (!now || !pointers.current.has(event.pointerId)) return
    pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
    if (now.kind === 'pan') return stage.panFrom(now.view, { x: event.clientX - now.from.x, y: event.clientY - now.from.y })
    if (now.kind === 'paint') {
      const moves = event.nativeEvent.getCoalescedEvents()
      for (const one of moves.length > 0 ? moves : [event.nativeEvent]) now.points.push(...partOf(one))
      return showSoon()
    }
    const points = [...pointers.current.values()]
    const middle = middleOf(points)
    const anchor = { x: middle.x - place.left - place.width / 2, y: middle.y - place.top - place.height / 2 }
    stage.zoomTo((now.zoom * distanceOf(points)) / now.fromPx, anchor, { x: middle.x - now.middle.x, y: middle.y - now.middle.y })
    gesture.current = { ...now, middle }
  }
  const end = (event: PointerEvent<HTMLElement>, isDone: boolean): void => {
    pointers.current.delete(event.pointerId)
    const now = gesture.current
    if (!now) return
    if (now.kind === 'paint') {
      if (isDone && now.points.length > 0) onStroke(now.points)
      else onPaint(undefined)
    }
    // One finger left of two does not begin to paint.
    gesture.current = undefined
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
