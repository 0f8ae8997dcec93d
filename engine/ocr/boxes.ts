import type { Quad } from './bitmap.ts'

/** For each pixel how surely it lies in the middle of a line of text, 0..1. */
export interface TextMap {
  readonly data: Float32Array
  readonly width: number
  readonly height: number
}

/** Of PaddleOCR: a pixel is text above the first, a box above the second, in the mean of what it covers. */
const PIXEL = 0.3
const BOX = 0.6
/** A line is found without its outer parts, which the network was trained to leave out: by this share of area over perimeter it is enlarged. */
const UNCLIP = 1.5
const LEAST_SIDE = 3

type Point = readonly [x: number, y: number]

const cross = ([ax, ay]: Point, [bx, by]: Point, [cx, cy]: Point): number => (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)

/** The convex hull of points sorted from the top down (Andrew's monotone chain). */
function hullOf(points: readonly Point[]): readonly Point[] {
  const half = (ordered: readonly Point[]): Point[] => {
    const chain: Point[] = []
    for (const point of ordered) {
      for (let last = chain.at(-1), before = chain.at(-2); last && before && cross(before, last, point) <= 0;) {
        chain.pop()
        ;[last, before] = [chain.at(-1), chain.at(-2)]
      }
      chain.push(point)
    }
    return chain.slice(0, -1)
  }
  const ordered = points.toSorted(([ax, ay], [bx, by]) => ax - bx || ay - by)
  return [...half(ordered), ...half(ordered.toReversed())]
}

/** A box around a hull whose first side runs at an angle. */
function boxAt(hull: readonly Point[], angle: number): Quad {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const us = hull.map(([x, y]) => x * cos + y * sin)
  const vs = hull.map(([x, y]) => y * cos - x * sin)
  const [left, right, top, bottom] = [Math.min(...us), Math.max(...us), Math.min(...vs), Math.max(...vs)]
  const [u, v] = [(left + right) / 2, (top + bottom) / 2]
  return { x: u * cos - v * sin, y: u * sin + v * cos, width: right - left + 1, height: bottom - top + 1, angle }
}

/** The smallest box around points, leaning by no more than an eighth of a turn (rotating calipers: one side lies on the hull). */
export function smallestBox(points: readonly Point[]): Quad {
  const hull = hullOf(points)
  let best = boxAt(hull.length > 0 ? hull : points, 0)
  for (const [at, [x, y]] of hull.entries()) {
    const [nextX, nextY] = hull[(at + 1) % hull.length] ?? [x, y]
    const quarter = Math.PI / 2
    const raw = Math.atan2(nextY - y, nextX - x)
    const box = boxAt(hull, raw - Math.round(raw / quarter) * quarter)
    if (box.width * box.height < best.width * best.height - 1e-6) best = box
  }
  return best
}

/** The ends of a component's rows, and its pixels. */
interface Component {
  readonly ends: Point[]
  pixels: number
}

/** What hangs together of text (8-connected), found row by row from each first pixel. */
function componentsOf({ data, width, height }: TextMap): Component[] {
  const seen = new Uint8Array(data.length)
  const found: Component[] = []
  const stack: number[] = []
  for (let start = 0; start < data.length; start++) {
    if (seen[start] !== 0 || (data[start] ?? 0) <= PIXEL) continue
    const rows = new Map<number, [number, number]>()
    let pixels = 0
    stack.push(start)
    seen[start] = 1
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      const [x, y] = [at % width, Math.floor(at / width)]
      const row = rows.get(y)
      if (!row) rows.set(y, [x, x])
      else if (x < row[0]) row[0] = x
      else if (x > row[1]) row[1] = x
      pixels += 1
      for (let ny = Math.max(0, y - 1); ny <= Math.min(height - 1, y + 1); ny++)
        for (let nx = Math.max(0, x - 1); nx <= Math.min(width - 1, x + 1); nx++) {
          const next = ny * width + nx
          if (seen[next] !== 0 || (data[next] ?? 0) <= PIXEL) continue
          seen[next] = 1
          stack.push(next)
        }
    }
    found.push({
      ends: [...rows].flatMap(([y, [left, right]]): Point[] => [
        [left, y],
        [right, y],
      ]),
      pixels,
    })
  }
  return found
}

/** The mean of what a box covers. */
function scoreOf({ data, width, height }: TextMap, { x, y, width: wide, height: high, angle }: Quad): number {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  let sum = 0
  let count = 0
  for (let v = 0.5; v < high; v++)
    for (let u = 0.5; u < wide; u++) {
      const px = Math.round(x + (u - wide / 2) * cos - (v - high / 2) * sin)
      const py = Math.round(y + (u - wide / 2) * sin + (v - high / 2) * cos)
      if (px < 0 || py < 0 || px >= width || py >= height) continue
      sum += data[py * width + px] ?? 0
      count += 1
    }
  return count === 0 ? 0 : sum / count
}

/**
 * The boxes of lines in a map of text, in its pixels (the post-processing of Differentiable Binarization, Liao et al. 2020, with components in place
 * of contours).
 */
export function textBoxes(map: TextMap): readonly Quad[] {
  return componentsOf(map).flatMap(({ ends, pixels }) => {
    if (pixels < LEAST_SIDE * LEAST_SIDE) return []
    const box = smallestBox(ends)
    if (Math.min(box.width, box.height) < LEAST_SIDE || scoreOf(map, box) < BOX) return []
    const grown = (box.width * box.height * UNCLIP) / (2 * (box.width + box.height))
    // Pixels are squares: a box counted from their middles is centred half a pixel further.
    return [{ ...box, x: box.x + 0.5, y: box.y + 0.5, width: box.width + 2 * grown, height: box.height + 2 * grown }]
  })
}
