import type { Bitmap, Quad } from './bitmap.ts'
import { colourOfLevels } from '../pdf/colour.ts'
import type { Rule } from '../pdf/page-model.ts'

/** A grey picture of a page. */
interface GreyPage {
  readonly grey: Uint8Array
  readonly width: number
  readonly height: number
}

/** A line along one axis, in pixels: `at` is its middle on the other. */
export interface Ruling {
  readonly isHorizontal: boolean
  readonly from: number
  readonly to: number
  readonly at: number
  readonly width: number
  /** The mean grey of its pixels. */
  readonly level: number
}

/** A line is darker than what lies this far on both sides of it, by so many levels; the second finds thick ones, which must be longer. */
const REACH_PX = 6
const THICK_REACH_PX = 20
const DARKER = 28
/** Runs of a line that count, and gaps in one that don't. */
const LEAST_RUN_PX = 18
const GAP_PX = 4
/** Pieces of a line that leans a little lie in neighbouring rows. */
const ROWS = 2

interface Run {
  readonly row: number
  from: number
  to: number
}

/** Pixels of lines across the page: darker than above and below. */
function runsOf({ grey, width, height }: GreyPage, reach: number): Run[] {
  const runs: Run[] = []
  for (let y = reach; y < height - reach; y++) {
    let run: Run | undefined
    const end = (): void => {
      if (run && run.to - run.from >= LEAST_RUN_PX) runs.push(run)
      run = undefined
    }
    for (let x = 0, at = y * width; x < width; x++, at++) {
      const level = (grey[at] ?? 0) + DARKER
      const isLine = level < (grey[at - reach * width] ?? 0) && level < (grey[at + reach * width] ?? 0)
      if (isLine && run) run.to = x + 1
      else if (isLine) run = { row: y, from: x, to: x + 1 }
      else if (run && x - run.to >= GAP_PX) end()
    }
    end()
  }
  return runs
}

/** Runs that make one line: in neighbouring rows, side by side or one after the other. */
function grouped(runs: readonly Run[]): readonly (readonly Run[])[] {
  const groupOf = runs.map((_, at) => at)
  const rootOf = (at: number): number => {
    let root = at
    while (groupOf[root] !== root) root = groupOf[root] ?? root
    groupOf[at] = root
    return root
  }
  let first = 0
  for (const [at, { row, from, to }] of runs.entries()) {
    while ((runs[first]?.row ?? row) < row - ROWS) first += 1
    for (let other = first; other < at; other++) {
      const { from: otherFrom = 0, to: otherTo = 0 } = runs[other] ?? {}
      if (otherFrom <= to + GAP_PX && otherTo >= from - GAP_PX) groupOf[rootOf(other)] = rootOf(at)
    }
  }
  const groups = new Map<number, Run[]>()
  for (const [at, run] of runs.entries()) groups.set(rootOf(at), [...(groups.get(rootOf(at)) ?? []), run])
  return [...groups.values()]
}

function rulingsAcross(page: GreyPage, leastPx: number, isHorizontal: boolean, reach = REACH_PX): Ruling[] {
  return grouped(runsOf(page, reach)).flatMap((runs) => {
    const from = Math.min(...runs.map((run) => run.from))
    const to = Math.max(...runs.map((run) => run.to))
    const pixels = runs.reduce((sum, run) => sum + run.to - run.from, 0)
    const rows = runs.map(({ row }) => row)
    const width = pixels / (to - from)
    const isLevel = Math.max(...rows) - Math.min(...rows) <= reach + 0.008 * (to - from)
    if (to - from < leastPx || !isLevel || width < 0.8) return []
    const at = runs.reduce((sum, run) => sum + (run.to - run.from) * (run.row + 0.5), 0) / pixels
    const level = runs.reduce((sum, run) => sum + (page.grey[run.row * page.width + ((run.from + run.to) >> 1)] ?? 0), 0) / runs.length
    return [{ isHorizontal, from, to, at, width, level }]
  })
}

function transposed({ grey, width, height }: GreyPage): GreyPage {
  const out = new Uint8Array(grey.length)
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) out[x * height + y] = grey[y * width + x] ?? 0
  return { grey: out, width: height, height: width }
}

/** Thick lines are no shorter, in inches: strokes of large letters are. */
const THICK = 1.5
/** The longest a stroke of a letter may be, in inches: longer ones are rules, … */
const STROKE = 0.5
/** … and shorter ones where they end at rules on both sides, as those of a low row of a table do. */
const LEAST = 0.12
/** Rulings meet that end so near to each other. */
const MEET_PX = 8

/** Whether a ruling lies among the letters of a line, as their strokes do; underlines and rules of tables lie at its edges. */
const isAmong = ({ isHorizontal, from, to, at }: Ruling, { x, y, width, height, angle }: Quad): boolean =>
  isHorizontal &&
  Math.abs(angle) < 0.3 &&
  to - from < 4 * height &&
  from > x - width / 2 - height &&
  to < x + width / 2 + height &&
  Math.abs(at - y) < 0.4 * height

/** Whether a ruling ends at others at both of its ends. */
function isBetween({ isHorizontal, from, to, at }: Ruling, others: readonly Ruling[]): boolean {
  const meets = (end: number): boolean =>
    others.some(
      (other) =>
        other.isHorizontal !== isHorizontal && Math.abs(other.at - end) < MEET_PX && at > other.from - MEET_PX && at < other.to + MEET_PX,
    )
  return meets(from) && meets(to)
}

/** The straight lines of a level page: thin, darker than what is beside them, and no strokes of letters. `inchPx` is an inch. */
export function rulingsOf(page: GreyPage, boxes: readonly Quad[], inchPx: number): readonly Ruling[] {
  const least = Math.round(LEAST * inchPx)
  const found = [...rulingsAcross(page, least, true), ...rulingsAcross(transposed(page), least, false)]
  const thick = rulingsAcross(page, THICK * inchPx, true, THICK_REACH_PX).filter(
    ({ width, at }) => width > REACH_PX - 1 && !found.some((one) => one.isHorizontal && Math.abs(one.at - at) < width),
  )
  const long = [...found, ...thick].filter(
    (ruling) => ruling.to - ruling.from > STROKE * inchPx && !boxes.some((box) => isAmong(ruling, box)),
  )
  return [...long, ...found.filter((ruling) => !long.includes(ruling) && isBetween(ruling, long))]
}

/** Colours less vivid than this are greys, in levels. */
const VIVID = 50
const PALE = 170

/** A ruling's colour: its own where it has one, else black or grey. */
function colourOf({ data, width }: Bitmap, { isHorizontal, from, to, at, level }: Ruling): string {
  const across = Math.floor(at)
  const sum = [0, 0, 0]
  const samples = 24
  for (let index = 0; index < samples; index++) {
    const along = Math.floor(from + ((index + 0.5) / samples) * (to - from))
    const pixel = isHorizontal ? across * width + along : along * width + across
    for (let channel = 0; channel < 3; channel++) sum[channel] = (sum[channel] ?? 0) + (data[pixel * 4 + channel] ?? 0) / samples
  }
  if (Math.max(...sum) - Math.min(...sum) < VIVID) return level > PALE ? '#a6a6a6' : '#000000'
  return colourOfLevels(sum)
}

/** A ruling on a page whose pixels are so many points. */
export function ruleOf(bitmap: Bitmap, ruling: Ruling, points: number): Rule {
  const { isHorizontal, from, to, at, width } = ruling
  const colour = colourOf(bitmap, ruling)
  return { isHorizontal, from: from * points, to: to * points, at: at * points, width: Math.max(0.5, width * points), colour }
}
