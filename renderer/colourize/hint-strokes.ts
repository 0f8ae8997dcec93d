import type { Hint } from '#shared/hints'
import type { Size } from '#shared/resize'

/** Colours things usually have, by what they are; how light they are is the photo's own. */
export const palette: readonly { readonly label: string; readonly colours: readonly (readonly [name: string, colour: string])[] }[] = [
  {
    label: '人物',
    colours: [
      ['浅肤色', '#e8bb9c'],
      ['肤色', '#cf9873'],
      ['深肤色', '#8f5f42'],
      ['唇色', '#b5505c'],
      ['黑发', '#3a2f2a'],
      ['棕发', '#6e4a2c'],
      ['金发', '#c9a45c'],
    ],
  },
  {
    label: '自然',
    colours: [
      ['天空', '#6f9fd8'],
      ['草地', '#6a9440'],
      ['树叶', '#436b2f'],
      ['水面', '#3f7f90'],
      ['泥土', '#8a6a48'],
      ['沙地', '#c8ad7f'],
    ],
  },
  {
    label: '物品',
    colours: [
      ['木头', '#8c5d36'],
      ['砖墙', '#a3543c'],
      ['牛仔布', '#405f8f'],
      ['军绿', '#5f6544'],
      ['红布', '#b02a30'],
      ['无颜色', '#808080'],
    ],
  },
]

/** How far a place may be from a stroke and still be on it, as a part of the longer side: a fingertip is wide. */
const REACH = 0.008

function distanceTo(x: number, y: number, ax: number, ay: number, bx: number, by: number): number {
  const [dx, dy] = [bx - ax, by - ay]
  const along = dx * dx + dy * dy
  const share = along === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / along))
  return Math.hypot(x - ax - share * dx, y - ay - share * dy)
}

/** Which stroke lies at a place (parts of the picture's sides), the uppermost of several; -1 where none does. */
export function hintAt(hints: readonly Hint[], x: number, y: number, { width, height }: Size): number {
  const longer = Math.max(width, height)
  const [across, down] = [width / longer, height / longer]
  return hints.findLastIndex(({ size, points }) => {
    for (let n = 0; n + 1 < points.length; n += 2) {
      const [ax, ay] = [(points[n] ?? 0) * across, (points[n + 1] ?? 0) * down]
      const [bx, by] = [(points[n + 2] ?? points[n] ?? 0) * across, (points[n + 3] ?? points[n + 1] ?? 0) * down]
      if (distanceTo(x * across, y * down, ax, ay, bx, by) <= size / 2 + REACH) return true
    }
    return false
  })
}

/** Draws strokes over a picture as they were painted. */
export function drawHints(context: CanvasRenderingContext2D, hints: readonly Hint[], { width, height }: Size): void {
  context.clearRect(0, 0, width, height)
  context.lineCap = context.lineJoin = 'round'
  for (const { colour, size, points } of hints) {
    const [x = 0, y = 0] = points
    context.strokeStyle = colour
    context.lineWidth = Math.max(1.5, size * Math.max(width, height))
    context.beginPath()
    context.moveTo(x * width, y * height)
    // A dab is a line to itself.
    context.lineTo(x * width, y * height)
    for (let n = 2; n + 1 < points.length; n += 2) context.lineTo((points[n] ?? 0) * width, (points[n + 1] ?? 0) * height)
    context.stroke()
  }
}
