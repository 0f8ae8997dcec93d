import type { Tones } from './levels.ts'
import type { Plane } from '#shared/matte/blur'

/** The half range of levels' deviation. */
const RANGE = 0.5
/** Darker is ink, lighter paper, whatever lies around: the inside of a large letter must not become hollow. */
const SURELY_INK = 0.42
const SURELY_PAPER = 0.9

/** Sums of a plane and of its squares in boxes around each pixel of a row, from sums of columns. */
class Boxes {
  readonly #sums: Float64Array
  readonly #squares: Float64Array
  #rows = 0
  readonly #plane: Plane
  readonly #reach: number

  constructor(plane: Plane, reach: number) {
    this.#plane = plane
    this.#reach = reach
    this.#sums = new Float64Array(plane.width)
    this.#squares = new Float64Array(plane.width)
    for (let y = 0; y < Math.min(reach, plane.height); y++) this.#add(y, 1)
  }

  #add(y: number, sign: 1 | -1): void {
    const { data, width } = this.#plane
    this.#rows += sign
    for (let x = 0; x < width; x++) {
      const level = data[y * width + x] ?? 0
      this.#sums[x] = (this.#sums[x] ?? 0) + sign * level
      this.#squares[x] = (this.#squares[x] ?? 0) + sign * level * level
    }
  }

  /** Calls with mean and deviation around each pixel of a row; rows are asked for in their order. */
  row(y: number, each: (x: number, mean: number, deviation: number) => void): void {
    const { width, height } = this.#plane
    const reach = this.#reach
    if (y + reach < height) this.#add(y + reach, 1)
    if (y - reach - 1 >= 0) this.#add(y - reach - 1, -1)
    let [sum, square, columns] = [0, 0, 0]
    for (let x = 0; x < Math.min(reach, width); x++) {
      sum += this.#sums[x] ?? 0
      square += this.#squares[x] ?? 0
      columns += 1
    }
    for (let x = 0; x < width; x++) {
      if (x + reach < width) {
        sum += this.#sums[x + reach] ?? 0
        square += this.#squares[x + reach] ?? 0
        columns += 1
      }
      if (x - reach - 1 >= 0) {
        sum -= this.#sums[x - reach - 1] ?? 0
        square -= this.#squares[x - reach - 1] ?? 0
        columns -= 1
      }
      const mean = sum / (columns * this.#rows)
      each(x, mean, Math.sqrt(Math.max(0, square / (columns * this.#rows) - mean * mean)))
    }
  }
}

/**
 * The level from which on each pixel is white (Sauvola and Pietikäinen, "Adaptive document image binarization", 2000), for levels over paper's: a
 * stronger effect leaves less of what is pale. `reach` is half the window's side in pixels.
 */
export function thresholds(light: Plane, reach: number, amount: number, { white, ink }: Tones): Float32Array {
  const { width, height } = light
  const out = new Float32Array(width * height)
  const boxes = new Boxes(light, reach)
  const k = 0.2 + 0.2 * amount
  const least = Math.min(SURELY_INK, ink + 0.45 * (white - ink)) * white
  const most = SURELY_PAPER * white
  for (let y = 0; y < height; y++) {
    boxes.row(y, (x, mean, deviation) => {
      out[y * width + x] = Math.min(most, Math.max(least, mean * (1 + k * (deviation / RANGE - 1))))
    })
  }
  return out
}
