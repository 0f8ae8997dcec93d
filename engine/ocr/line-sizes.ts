import type { MeasuredLine } from './measure-line.ts'

/** Sizes that Chinese documents are set in, from 初号 to 七号, and round ones, in points. */
const USUAL = [5.5, 6.5, 7.5, 8, 9, 10, 10.5, 11, 12, 14, 15, 16, 18, 20, 22, 24, 26, 28, 32, 36, 42, 48, 54, 60, 72]
/** A size measured so near a usual one is that. */
const NEAR = 0.045
/** Sizes so near to each other are one. */
const ALIKE = 0.12
/** Letters stand as far from each other as they are large, or a little further where lines are justified. */
const SPREAD = 1.12

const medianOf = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

function usual(size: number): number {
  const near = USUAL.toSorted((a, b) => Math.abs(a - size) - Math.abs(b - size))[0] ?? size
  return Math.abs(near - size) <= NEAR * size ? near : Math.round(size * 2) / 2
}

/** What a line's letters say of its size: their distance where they are Chinese and set closely, else their height. */
const ownSize = ({ size, pitch }: MeasuredLine): number =>
  pitch !== undefined && pitch > size * 0.75 && pitch < size * SPREAD * 1.1 ? pitch : size

/**
 * The sizes of lines in points, where `points` is a pixel: those of nearly the same size are taken for one, so that a paragraph has one size.
 */
export function lineSizes(lines: readonly MeasuredLine[], points: number): readonly number[] {
  const order = lines.map((line, at) => ({ at, line, size: ownSize(line) * points })).toSorted((a, b) => a.size - b.size)
  const sizes = lines.map(() => 0)
  let group: (typeof order)[number][] = []
  const settle = (): void => {
    // A line of few letters tells less than a long one.
    const weighed = group.flatMap(({ line, size }) => Array.from({ length: Math.min(40, line.letters.length) }, () => size))
    const size = usual(medianOf(weighed))
    for (const { at } of group) sizes[at] = size
    group = []
  }
  for (const one of order) {
    const middle = medianOf(group.map(({ size }) => size))
    if (group.length > 0 && one.size > middle * (1 + ALIKE)) settle()
    group.push(one)
  }
  settle()
  return sizes
}
