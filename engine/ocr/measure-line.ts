import type { Bitmap } from './bitmap.ts'
import { isCjk, isFullWidth, textExtents } from './extents.ts'
import { inkOf, type Ink } from './ink.ts'
import type { ReadLine } from './read-lines.ts'
import { medianOf } from '#shared/effects/math/median'

/** A character and where its ink is along its line. */
export interface Letter {
  readonly text: string
  readonly left: number
  readonly right: number
  /** A space was read before it. */
  readonly isApart?: boolean
}

/** A line with where its letters are; lengths are in pixels of the page, from the left top corner of its box. */
export interface MeasuredLine {
  readonly line: ReadLine
  readonly letters: readonly Letter[]
  readonly base: number
  /** Of its letters, by how high they are; … */
  readonly size: number
  /** … and by how far Chinese ones stand from each other, where there are several. */
  readonly pitch?: number
  readonly colour: string
  readonly ground: string
  /** How thick strokes are in parts of the size. */
  readonly weight: number
}

/** A line's box is at least so many times as high as its letters are large. */
const ROOM = 1.08
/** Confidence below which a character is no character. */
const LEAST = 0.3

/** The first and the last place of a profile with more than a speck of ink. */
function span(profile: Uint16Array, least: number): readonly [number, number] {
  const first = profile.findIndex((count) => count >= least)
  const last = profile.findLastIndex((count) => count >= least)
  return first < 0 ? [0, profile.length] : [first, last + 1]
}

/** The widest run of columns without ink between two places; an empty one at the palest column where there is none. */
function gapBetween(columns: Uint16Array, from: number, to: number): readonly [number, number] {
  let best: readonly [number, number] = [0, 0]
  let palest = Math.round((from + to) / 2)
  for (let x = from, start = from; x <= to; x++) {
    if (x < to && (columns[x] ?? 0) === 0) continue
    if (x - start > best[1] - best[0]) best = [start, x]
    start = x + 1
    if (x < to && (columns[x] ?? 0) < (columns[palest] ?? 0)) palest = x
  }
  return best[1] > best[0] ? best : [palest, palest]
}

const SIGNS_AT_LEFT = /[，。、；：！？）》】」〕”’,.;:]/
const SIGNS_AT_RIGHT = /[（《【「〔“‘]/

/** Chinese letters and signs with the room that belongs to them, where nothing else stands in it. */
function roomy(letters: readonly Letter[], size: number): Letter[] {
  return letters.map((letter, at) => {
    const { text, left, right } = letter
    if (!isFullWidth(text)) return letter
    const [before, behind] = [letters[at - 1]?.right ?? -Infinity, letters[at + 1]?.left ?? Infinity]
    const missing = Math.max(0, size * 0.98 - (right - left))
    const share = SIGNS_AT_LEFT.test(text) ? 0.1 : SIGNS_AT_RIGHT.test(text) ? 0.9 : 0.5
    return { ...letter, left: Math.max(before, left - missing * share), right: Math.min(behind, right + missing * (1 - share)) }
  })
}

/** How far neighbouring Chinese letters stand from each other. */
function pitchOf(letters: readonly Letter[]): number | undefined {
  const distances = letters.flatMap(({ text, left, right }, at) => {
    const next = letters[at + 1]
    return next && isCjk(text) && isCjk(next.text) ? [(next.left + next.right - left - right) / 2] : []
  })
  return distances.length >= 3 ? medianOf(distances) : undefined
}

/** Letters between the gaps that lie between the places where they were read. */
function lettersOf({ characters }: ReadLine, { columns, width }: Ink): Letter[] {
  const read = characters.flatMap(({ text, at, confidence }, index) =>
    text.trim() === '' || confidence < LEAST ? [] : [{ text, at, isApart: characters[index - 1]?.text === ' ' }],
  )
  const middles = read.map(({ at }) => Math.min(width - 1, Math.round(at * width)))
  const [first, last] = span(columns, 1)
  const gaps = middles.slice(1).map((middle, at) => gapBetween(columns, middles[at] ?? 0, middle))
  return read.map(({ text, isApart }, at) => ({
    text,
    isApart,
    left: gaps[at - 1]?.[1] ?? Math.min(first, middles[0] ?? 0),
    right: gaps[at]?.[0] ?? Math.max(last, middles.at(-1) ?? 0),
  }))
}

/** Finds where the letters of a line are, how large and how heavy. */
export function measureLine(bitmap: Bitmap, line: ReadLine): MeasuredLine {
  const ink = inkOf(bitmap, line.box)
  const { scale, colour, ground } = ink
  const found = lettersOf(line, ink)
  const [top, bottom] = span(ink.rows, 2)
  const extents = textExtents(found.map(({ text }) => text)) ?? { top: 0.8, bottom: -0.05 }
  // What reaches into a box from the lines beside it makes letters seem larger than their box has room for.
  const size = Math.min((bottom - top) / (extents.top - extents.bottom), ink.height / ROOM)
  const letters = roomy(found, size)
  const pitch = pitchOf(found)
  return {
    line,
    letters: letters.map((letter) => ({ ...letter, left: letter.left * scale, right: letter.right * scale })),
    base: ((top + bottom) / 2 + ((extents.top + extents.bottom) / 2) * size) * scale,
    size: size * scale,
    ...(pitch !== undefined && { pitch: pitch * scale }),
    colour,
    ground,
    weight: ink.stroke / size,
  }
}
