import type { Plane } from '#shared/matte/blur'

/** A straight edge, x cos + y sin = rho, with what is paler on the side its normal (cos, sin) points to. */
export interface Line {
  /** Degrees of the normal, 0..360. */
  readonly angle: number
  readonly cos: number
  readonly sin: number
  readonly rho: number
}

/** How a picture changes: along x and y, at each pixel. */
export interface Slopes {
  readonly dx: Float32Array
  readonly dy: Float32Array
}

/** Central differences of a plane; 0 at its sides. */
export function slopesOf({ data, width, height }: Plane): Slopes {
  const [dx, dy] = [new Float32Array(data.length), new Float32Array(data.length)]
  for (let y = 1; y < height - 1; y++) {
    for (let at = y * width + 1; at < (y + 1) * width - 1; at++) {
      dx[at] = ((data[at + 1] ?? 0) - (data[at - 1] ?? 0)) / 2
      dy[at] = ((data[at + width] ?? 0) - (data[at - width] ?? 0)) / 2
    }
  }
  return { dx, dy }
}

/** Steps of the angle a turn has. */
const TURN = 360
/** An edge pixel's direction is known to this many degrees. */
const SPREAD = 3
/** Slopes, in levels a pixel: below the first nothing is an edge, above the second an edge is no more of an edge. */
const LEAST_SLOPE = 1.2
const FULL_SLOPE = 6
/** Edges that compete for one line. */
const APART_ANGLE = 3
const APART_RHO = 5

/** Votes of a picture's edge pixels for lines by angle and distance, with the way they rise (Duda and Hart, 1972; O'Gorman and Clowes, 1976). */
class Votes {
  readonly #reach: number
  readonly #rows: number
  readonly #votes: Float32Array
  readonly #cos = Float64Array.from({ length: TURN }, (_, angle) => Math.cos((angle * Math.PI) / 180))
  readonly #sin = Float64Array.from({ length: TURN }, (_, angle) => Math.sin((angle * Math.PI) / 180))

  constructor(width: number, height: number) {
    this.#reach = Math.ceil(Math.hypot(width, height)) + 2
    this.#rows = 2 * this.#reach + 1
    this.#votes = new Float32Array(TURN * this.#rows)
  }

  vote(x: number, y: number, angle: number, weight: number): void {
    for (let by = -SPREAD; by <= SPREAD; by++) {
      const to = (Math.round(angle) + by + TURN) % TURN
      const rho = x * (this.#cos[to] ?? 0) + y * (this.#sin[to] ?? 0) + this.#reach
      const low = Math.floor(rho)
      const at = to * this.#rows + low
      this.#votes[at] = (this.#votes[at] ?? 0) + weight * (low + 1 - rho)
      this.#votes[at + 1] = (this.#votes[at + 1] ?? 0) + weight * (rho - low)
    }
  }

  /** The lines with the most votes whose normals lie within 50° of a direction. */
  best(direction: number, count: number): readonly Line[] {
    const peaks: { angle: number; row: number; votes: number }[] = []
    for (let by = -50; by <= 50; by++) {
      const angle = (direction + by + TURN) % TURN
      for (let row = 1; row < this.#rows - 1; row++) {
        const votes = this.#at(angle, row)
        if (votes > 8 && this.#isPeak(angle, row, votes)) peaks.push({ angle, row, votes })
      }
    }
    const kept: typeof peaks = []
    for (const peak of peaks.toSorted((one, other) => other.votes - one.votes)) {
      const isTaken = kept.some(({ angle, row }) => {
        const turn = Math.abs(((peak.angle - angle + 540) % TURN) - 180)
        return turn <= APART_ANGLE && Math.abs(peak.row - row) <= APART_RHO
      })
      if (!isTaken) kept.push(peak)
      if (kept.length >= count) break
    }
    return kept.map(({ angle, row }) => ({ angle, rho: row - this.#reach, cos: this.#cos[angle] ?? 0, sin: this.#sin[angle] ?? 0 }))
  }

  #at(angle: number, row: number): number {
    return this.#votes[((angle + TURN) % TURN) * this.#rows + row] ?? 0
  }

  #isPeak(angle: number, row: number, votes: number): boolean {
    for (let turn = -1; turn <= 1; turn++)
      for (let by = -1; by <= 1; by++) if ((turn !== 0 || by !== 0) && this.#at(angle + turn, row + by) > votes) return false
    return true
  }
}

/** Lines that may be the left, upper, right and lower side of a page, most votes first: what is paler lies towards the page's inside. */
export function sideLines({ width, height }: Plane, { dx, dy }: Slopes, count: number): readonly (readonly Line[])[] {
  const votes = new Votes(width, height)
  for (let y = 2; y < height - 2; y++) {
    for (let x = 2; x < width - 2; x++) {
      const at = y * width + x
      const [slopeX, slopeY] = [dx[at] ?? 0, dy[at] ?? 0]
      const slope = Math.hypot(slopeX, slopeY)
      if (slope < LEAST_SLOPE) continue
      // Only the crest of an edge votes (Canny, 1986): its neighbours across are less steep.
      const step = Math.abs(slopeX) > Math.abs(slopeY) ? 1 : width
      const before = Math.hypot(dx[at - step] ?? 0, dy[at - step] ?? 0)
      const after = Math.hypot(dx[at + step] ?? 0, dy[at + step] ?? 0)
      if (slope < before || slope < after) continue
      votes.vote(x + 0.5, y + 0.5, (Math.atan2(slopeY, slopeX) * 180) / Math.PI + 360, Math.min(1, slope / FULL_SLOPE))
    }
  }
  return [0, 90, 180, 270].map((direction) => votes.best(direction, count))
}
