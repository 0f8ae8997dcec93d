import { blurPlane, type Plane } from '#shared/matte/blur'

/** Thin edges of a picture: where they are, and which way the picture gets lighter there. */
export interface Edges {
  readonly width: number
  readonly height: number
  /** 1 on an edge. */
  readonly marked: Uint8Array
  readonly gradientX: Float32Array
  readonly gradientY: Float32Array
}

const SMOOTHING = 1.2
/** Levels a pixel that start an edge, and those on which it goes on. */
const STRONG = 9
const WEAK = 4

/** Marks what is no less than its neighbours across the edge, if it is a start or goes on from one (Canny 1986). */
export function edgesOf(plane: Plane): Edges {
  const { width, height } = plane
  const smooth = { ...plane, data: plane.data.slice() }
  blurPlane(smooth, SMOOTHING)
  const gradientX = new Float32Array(width * height)
  const gradientY = new Float32Array(width * height)
  const size = new Float32Array(width * height)
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1, at = y * width + 1; x < width - 1; x++, at++) {
      const across = ((smooth.data[at + 1] ?? 0) - (smooth.data[at - 1] ?? 0)) / 2
      const down = ((smooth.data[at + width] ?? 0) - (smooth.data[at - width] ?? 0)) / 2
      gradientX[at] = across
      gradientY[at] = down
      size[at] = Math.hypot(across, down)
    }
  }
  const marked = new Uint8Array(width * height)
  const starts: number[] = []
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1, at = y * width + 1; x < width - 1; x++, at++) {
      const here = size[at] ?? 0
      if (here < WEAK) continue
      const step = stepAcross(gradientX[at] ?? 0, gradientY[at] ?? 0, width)
      if (here < (size[at + step] ?? 0) || here <= (size[at - step] ?? 0)) continue
      marked[at] = here >= STRONG ? 1 : 2
      if (here >= STRONG) starts.push(at)
    }
  }
  keepConnected(marked, starts, width)
  return { width, height, marked, gradientX, gradientY }
}

/** The neighbour a gradient points at, as a distance in the plane. */
function stepAcross(x: number, y: number, width: number): number {
  const [wide, high] = [Math.abs(x), Math.abs(y)]
  const across = wide * 2.414 < high ? 0 : Math.sign(x)
  const down = high * 2.414 < wide ? 0 : Math.sign(y)
  return across + down * width
}

/** Of the weak edges (2) only those stay that hang together with a strong one. */
function keepConnected(marked: Uint8Array, starts: number[], width: number): void {
  const steps = [1, -1, width, -width, width + 1, width - 1, 1 - width, -1 - width]
  for (let at = starts.pop(); at !== undefined; at = starts.pop()) {
    for (const step of steps) {
      if (marked[at + step] !== 2) continue
      marked[at + step] = 1
      starts.push(at + step)
    }
  }
  for (let at = 0; at < marked.length; at++) if (marked[at] === 2) marked[at] = 0
}

/** Edges as lines of pixels in order, at least so long; lines end where another touches them or they turn back on themselves. */
export function linesOf({ width, marked }: Edges, least: number): readonly (readonly number[])[] {
  const left = marked.slice()
  const steps = [1, width, -1, -width, width + 1, width - 1, -width - 1, 1 - width]
  const follow = (start: number): number[] => {
    const line: number[] = []
    for (let at: number | undefined = start; at !== undefined;) {
      line.push(at)
      left[at] = 0
      const here: number = at
      const next: number | undefined = steps.find((step) => left[here + step] === 1)
      at = next === undefined ? undefined : here + next
    }
    return line
  }
  const lines: number[][] = []
  for (let at = 0; at < left.length; at++) {
    if (left[at] !== 1) continue
    const ahead = follow(at)
    const [start = at] = ahead
    const back = steps.some((step) => left[start + step] === 1) ? follow(start).slice(1) : []
    const line = [...back.toReversed(), ...ahead]
    if (line.length >= least) lines.push(line)
  }
  return lines
}
