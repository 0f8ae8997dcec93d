import type { MeasuredLine } from './measure-line.ts'
import { medianOf } from '#shared/effects/math/median'

/** Sizes that Chinese documents are set in, from 初号 to 七号, and round ones, in points. */
const USUAL = [5.5, 6.5, 7.5, 8, 9, 10, 10.5, 11, 12, 14, 15, 16, 18, 20, 22, 24, 26, 28, 32, 36, 42, 48, 54, 60, 72]
/** A size measured so near a usual one is that. */
const NEAR = 0.045
/** Sizes so near to each other are one. */
const ALIKE = 0.12
/** Letters stand as far from each other as they are large, or a little further where lines are justified. */
const SPREAD = 1.12

function usual(size: number): number {
  const near = USUAL.toSorted((a, b) => Math.abs(a - size) - Math.abs(b - size))[0] ?? size
  return Math.abs(near - size) <= NEAR * size ? near : Math.round(size * 2) / 2
}

/** A line that tells little of its size has that of one that tells more, where the two are so near. */
const BORROWED = 0.22

interface Sized {
  readonly at: number
  readonly size: number
  /** A line of few letters tells less than a long one. */
  readonly letters: number
}

const isSure = ({ size, pitch }: MeasuredLine): boolean => pitch !== undefined && pitch > size * 0.75 && pitch < size * SPREAD * 1.1

/** Lines of nearly the same size, with that size. */
function groupsOf(lines: readonly Sized[]): { readonly size: number; readonly members: readonly Sized[] }[] {
  const groups: Sized[][] = []
  for (const line of lines.toSorted((a, b) => a.size - b.size)) {
    const last = groups.at(-1)
    if (last && line.size <= (medianOf(last.map(({ size }) => size)) ?? 0) * (1 + ALIKE)) last.push(line)
    else groups.push([line])
  }
  return groups.map((members) => ({
    size: usual(medianOf(members.flatMap(({ size, letters }) => Array.from({ length: Math.min(40, letters) }, () => size))) ?? 0),
    members,
  }))
}

/**
 * The sizes of lines in points, where `points` is a pixel: by how far Chinese letters stand from each other, else by how high letters are. Those of
 * nearly the same size are taken for one, so that a paragraph has one size.
 */
export function lineSizes(lines: readonly MeasuredLine[], points: number): readonly number[] {
  const sized = lines.map((line, at): Sized & { isSure: boolean } => {
    const sure = isSure(line)
    return { at, size: (sure ? (line.pitch ?? line.size) : line.size) * points, letters: line.letters.length, isSure: sure }
  })
  const sure = groupsOf(sized.filter((line) => line.isSure))
  const nearest = (size: number) =>
    sure
      .toSorted((a, b) => Math.abs(Math.log(a.size / size)) - Math.abs(Math.log(b.size / size)))
      .find((group) => Math.abs(group.size / size - 1) <= BORROWED)
  const sizes = lines.map(() => 0)
  const alone: Sized[] = []
  for (const line of sized) {
    const group = nearest(line.size)
    if (group && !line.isSure) sizes[line.at] = group.size
    else if (!line.isSure) alone.push(line)
  }
  for (const { size, members } of [...sure, ...groupsOf(alone)]) for (const { at } of members) sizes[at] = size
  return sizes
}
