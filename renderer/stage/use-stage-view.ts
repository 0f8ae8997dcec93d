import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import { centre, layOut, panAround, panBy, type Point, type Scale, type Size, type View } from '../ui/compare-geometry.ts'

/** Pixels of the screen for one of the picture, at most. */
const MOST_ZOOM = 8
/** What 100 px of a turned wheel zoom by. */
const WHEEL_FACTOR = 1.35

export interface StageView {
  readonly stage: RefObject<HTMLDivElement | null>
  /** Undefined until the stage has been measured. */
  readonly view: View | undefined
  /** Pixels of the screen for one of the picture. */
  readonly shownZoom: number
  readonly isFit: boolean
  /** Zooms to that many pixels of the screen for one of the picture; what lies under `anchor`, an offset from the stage's middle, stays there or goes along by `move`. */
  readonly zoomTo: (zoom: Scale, anchor?: Point, move?: Point) => void
  readonly panTo: (panned: Point) => void
  readonly panFrom: (start: View, move: Point) => void
}

/** What part of a picture a stage shows, and how large; the wheel zooms. */
export function useStageView(natural: Size): StageView {
  const stage = useRef<HTMLDivElement>(null)
  const [room, setRoom] = useState<Size>()
  const [zoom, setZoom] = useState<Scale>('fit')
  const [panned, setPanned] = useState<Point>(centre)
  const density = window.devicePixelRatio
  const view = room && room.width > 0 && room.height > 0 ? layOut(natural, room, zoom, panned, density) : undefined
  const zoomTo = (wanted: Scale, anchor: Point = centre, move: Point = centre): void => {
    if (!view || !room) return
    const fitting = layOut(natural, room, 'fit', centre, density).scale * density
    const next = wanted === 'fit' || wanted <= fitting ? 'fit' : Math.min(wanted, MOST_ZOOM)
    const kept = panAround({ x: anchor.x - move.x, y: anchor.y - move.y }, view, next, density)
    const perPx = next === 'fit' ? 0 : density / next
    setPanned({ x: kept.x + move.x * perPx, y: kept.y + move.y * perPx })
    setZoom(next)
  }
  const turn = useEffectEvent((event: WheelEvent): void => {
    event.preventDefault()
    const box = stage.current?.getBoundingClientRect()
    if (!view || !box) return
    // A pinch on a touchpad comes as small turns with Ctrl held.
    const deltaPx = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : 16) * (event.ctrlKey ? 4 : 1)
    const anchor = { x: event.clientX - box.left - box.width / 2, y: event.clientY - box.top - box.height / 2 }
    zoomTo(view.scale * density * WHEEL_FACTOR ** (-deltaPx / 100), anchor)
  })
  useEffect(() => {
    const element = stage.current
    if (!element) return undefined
    const observer = new ResizeObserver((entries) => {
      for (const { contentRect } of entries) setRoom({ width: contentRect.width, height: contentRect.height })
    })
    observer.observe(element)
    // React's own wheel handler is passive and could not stop the page from zooming.
    const listener = (event: WheelEvent) => turn(event)
    element.addEventListener('wheel', listener, { passive: false })
    return () => {
      observer.disconnect()
      element.removeEventListener('wheel', listener)
    }
  }, [])
  const shownZoom = (view?.scale ?? 1) * density
  return {
    stage,
    view,
    shownZoom,
    isFit: zoom === 'fit',
    zoomTo,
    panTo: setPanned,
    panFrom: (start, move) => setPanned(panBy(start, move)),
  }
}
