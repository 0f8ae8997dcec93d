import { useState, type KeyboardEvent } from 'react'
import { panForKey, type Point, type View } from '../ui/compare-geometry.ts'
import { isPlain } from '../ui/compare-stage.tsx'

interface CrossProps {
  /** Undefined until the stage has been measured. */
  readonly view: View | undefined
  readonly isMoving: boolean
  readonly panFrom: (start: View, move: Point) => void
  /** Where the brush is put down by a key, in parts of the canvas. */
  readonly onDab: (at: Point) => void
}

/** Where a brush is: under the pointer, or at a crosshair that keys move. */
interface Cross {
  /** On the stage; undefined where neither is over it. */
  readonly at: Point | undefined
  readonly isByKeys: boolean
  readonly press: (event: KeyboardEvent) => void
  readonly hover: (pointer: Point | undefined) => void
  readonly leave: () => void
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

const within = (value: number): number => Math.min(1, Math.max(0, value))

/** Where a part of the picture's canvas lies on the stage. */
const onStage = ({ x, y }: Point, { frameCorner, corner, shown }: View): Point => ({
  x: frameCorner.x + corner.x + x * shown.width,
  y: frameCorner.y + corner.y + y * shown.height,
})

/** A brush that arrow keys move and Enter puts down; where the hand moves the picture, they do too. */
export function useCross({ view, isMoving, panFrom, onDab }: CrossProps): Cross {
  const [pointer, setPointer] = useState<Point>()
  // In parts of the canvas; there while the keys are used.
  const [cross, setCross] = useState<Point>()
  const press = (event: KeyboardEvent): void => {
    if (!view || event.target !== event.currentTarget || !isPlain(event)) return
    const here = cross ?? { x: 0.5, y: 0.5 }
    const [across, down] = ways[event.key] ?? []
    if (event.key === 'Enter' && !isMoving) {
      event.preventDefault()
      setCross(here)
      return onDab(here)
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
  return {
    at: view && cross ? onStage(cross, view) : pointer,
    isByKeys: cross !== undefined,
    press,
    hover: (over) => {
      setCross(undefined)
      setPointer(over)
    },
    leave: () => setCross(undefined),
  }
}
