import { chromaOf, greyOf, shrunk, type Chroma, type Grey } from '#shared/effects/colourize/chroma'
import { upsampled } from '#shared/effects/colourize/upsample'
import type { Rgb } from '#shared/effects/effect'
import { average, boxes } from '#shared/effects/math/box'
import { labOf } from '#shared/effects/math/lab'
import { AppError } from '#shared/errors/app-error'
import type { Size } from '#shared/resize'

/** The longer side of what is looked at, and of the cells that are told apart. */
const SEEN_PX = 256
const CELLS = 64
/** A reference whose colours are this weak on average has none to give. */
const LEAST_CHROMA = 3
/** How many cells of the reference each cell names as like it, and from how far around it such votes are heard. */
const NAMED = 3
const EARSHOT = 2
/** Colours as near as this, in Lab's units, are the same. */
const SAME = 10

/** How much light, its unevenness close by and further off, the light around, and the height in the picture count. */
const WEIGHTS = [4, 6, 5, 2, 0.8] as const

const sizeWithin = ({ width, height }: Size, most: number): Size => {
  const share = Math.min(1, most / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * share)), height: Math.max(1, Math.round(height * share)) }
}

/** What is to be known of each cell, one after the other: `WEIGHTS.length` numbers a cell. */
interface Cells extends Size {
  readonly features: Float32Array
}

/** The mean of a plane's samples in each cell. */
function inCells(plane: Float32Array, size: Size, cells: Size): Float32Array {
  const sums = new Float32Array(cells.width * cells.height)
  const counts = new Uint32Array(sums.length)
  for (let y = 0, at = 0; y < size.height; y++) {
    const row = Math.floor((y * cells.height) / size.height) * cells.width
    for (let x = 0; x < size.width; x++, at++) {
      const to = row + Math.floor((x * cells.width) / size.width)
      sums[to] = (sums[to] ?? 0) + (plane[at] ?? 0)
      counts[to] = (counts[to] ?? 0) + 1
    }
  }
  return sums.map((sum, at) => sum / Math.max(1, counts[at] ?? 1))
}

/** Mean and standard deviation of a plane around each of its places. */
function momentsOf(plane: Float32Array, { width, height }: Size, radius: number): readonly [Float32Array, Float32Array] {
  const [mean, square] = [plane.slice(), plane.map((value) => value * value)]
  const filter = boxes(width, height, radius)
  average(mean, filter)
  average(square, filter)
  return [mean, square.map((value, at) => Math.sqrt(Math.max(0, value - (mean[at] ?? 0) ** 2)))]
}

function meanOf(values: Float32Array): readonly [number, number] {
  let [sum, squares] = [0, 0]
  for (const value of values) {
    sum += value
    squares += value * value
  }
  const mean = sum / values.length
  return [mean, Math.sqrt(Math.max(0, squares / values.length - mean * mean))]
}

/** A picture's light 0..1, as bright and as contrasty as another's; no step of it more than doubled. */
function likened(plane: Float32Array, [mean, deviation]: readonly [number, number]): Float32Array {
  const [own, spread] = meanOf(plane)
  const scale = Math.max(0.5, Math.min(2, (deviation + 0.02) / (spread + 0.02)))
  return plane.map((value) => Math.max(0, Math.min(1, mean + (value - own) * scale)))
}

function cellsOf(plane: Float32Array, size: Size): Cells {
  const cells = sizeWithin(size, CELLS)
  const [, fine] = momentsOf(plane, size, 2)
  const [around, coarse] = momentsOf(plane, size, 9)
  const planes = [plane, fine, coarse, around].map((one) => inCells(one, size, cells))
  const features = new Float32Array(cells.width * cells.height * WEIGHTS.length)
  for (let at = 0; at < cells.width * cells.height; at++) {
    for (const [kind, weight] of WEIGHTS.entries()) {
      const value = planes[kind]?.[at] ?? (Math.floor(at / cells.width) + 0.5) / cells.height
      features[at * WEIGHTS.length + kind] = weight * value
    }
  }
  return { ...cells, features }
}

const seen = (grey: Grey): Grey => {
  const size = sizeWithin(grey, SEEN_PX)
  return size.width === grey.width ? grey : shrunk(grey, size)
}
const planeOf = ({ data }: Grey): Float32Array => Float32Array.from(data, (level) => level / 255)

/** Of each cell the cells of the reference that are most like it, best first. */
function namedBy(target: Cells, reference: Cells): Int32Array {
  const kinds = WEIGHTS.length
  const named = new Int32Array(target.width * target.height * NAMED)
  const far = new Float32Array(NAMED)
  for (let at = 0; at < target.width * target.height; at++) {
    far.fill(Infinity)
    for (let other = 0; other < reference.width * reference.height; other++) {
      let distance = 0
      for (let kind = 0; kind < kinds; kind++) {
        distance += ((target.features[at * kinds + kind] ?? 0) - (reference.features[other * kinds + kind] ?? 0)) ** 2
      }
      if (distance >= (far[NAMED - 1] ?? 0)) continue
      let place = NAMED - 1
      for (; place > 0 && distance < (far[place - 1] ?? 0); place--) {
        far[place] = far[place - 1] ?? 0
        named[at * NAMED + place] = named[at * NAMED + place - 1] ?? 0
      }
      far[place] = distance
      named[at * NAMED + place] = other
    }
  }
  return named
}

/** Votes for a colour, and how much each counts. */
interface Vote {
  readonly a: number
  readonly b: number
  readonly weight: number
}

/** The colour most votes are near to: the mean of those near to the densest (one step of mean shift, Comaniciu and Meer 2002). */
function elected(votes: readonly Vote[]): readonly [number, number] {
  const near = (one: Vote, other: Vote): number =>
    other.weight * Math.exp(-((one.a - other.a) ** 2 + (one.b - other.b) ** 2) / (2 * SAME * SAME))
  let [best, most] = [votes[0], -1]
  for (const vote of votes) {
    let density = 0
    for (const other of votes) density += near(vote, other)
    if (density > most) [best, most] = [vote, density]
  }
  if (!best) return [0, 0]
  let [a, b, sum] = [0, 0, 0]
  for (const vote of votes) {
    const weight = near(best, vote)
    a += weight * vote.a
    b += weight * vote.b
    sum += weight
  }
  return [a / sum, b / sum]
}

/** The colour of each cell, by what it and its neighbours of like light name. */
function electedIn(target: Cells, named: Int32Array, a: Float32Array, b: Float32Array): Chroma {
  const { width, height, features } = target
  const [outA, outB] = [new Float32Array(width * height), new Float32Array(width * height)]
  const lightAt = (at: number): number => (features[at * WEIGHTS.length] ?? 0) / WEIGHTS[0]
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const votes: Vote[] = []
      for (let row = Math.max(0, y - EARSHOT); row <= Math.min(height - 1, y + EARSHOT); row++) {
        for (let column = Math.max(0, x - EARSHOT); column <= Math.min(width - 1, x + EARSHOT); column++) {
          const from = row * width + column
          const weight = Math.exp(-(((lightAt(from) - lightAt(at)) / 0.06) ** 2))
          for (let one = 0; one < NAMED; one++) {
            const other = named[from * NAMED + one] ?? 0
            votes.push({ a: a[other] ?? 0, b: b[other] ?? 0, weight })
          }
        }
      }
      ;[outA[at], outB[at]] = elected(votes)
    }
  }
  return chromaOf(outA, outB, target)
}

/**
 * The colours of a reference photo for a picture, given as its light in its chroma's size: cells of like light, unevenness and surroundings name
 * each other (Welsh, Ashikhmin, Mueller, "Transferring color to greyscale images", 2002, after the light's mean and spread were made alike as Reinhard
 * et al. 2001 do), and each cell takes what most of its neighbourhood named. Throws `colourize.reference-grey` for a reference without colours.
 */
export function referenceChroma(light: Grey, reference: Rgb): Chroma {
  const theirs = seen(greyOf(reference))
  const lab = labOf(reference)
  let sum = 0
  for (let at = 0; at < lab.a.length; at++) sum += Math.hypot(lab.a[at] ?? 0, lab.b[at] ?? 0)
  if (sum / lab.a.length < LEAST_CHROMA) throw new AppError('colourize.reference-grey', {})
  const theirPlane = planeOf(theirs)
  const source = cellsOf(theirPlane, theirs)
  const ours = seen(light)
  const target = cellsOf(likened(planeOf(ours), meanOf(theirPlane)), ours)
  const chroma = electedIn(target, namedBy(target, source), inCells(lab.a, reference, source), inCells(lab.b, reference, source))
  const rows = upsampled(light, chroma, { left: 0, top: 0, whole: light })
  const [a, b] = [new Float32Array(light.data.length), new Float32Array(light.data.length)]
  for (let row = 0; row < light.height; row++) {
    const [from, end] = [row * light.width, (row + 1) * light.width]
    rows(row, a.subarray(from, end), b.subarray(from, end))
  }
  return chromaOf(a, b, light)
}
