import type { Line, LinkTarget, Paragraph, Run, TextStyle } from '#engine/document/document-model'
import { officeFont } from '../fonts.ts'
import { drawnSize } from './styles.ts'
import { autoSpace, isWide, textWidth, type Face } from '../text-width.ts'

/** Letters of one style on one line: how wide they were, and how wide Office sets them by itself. */
export interface Stretch {
  readonly text: string
  readonly style: TextStyle
  readonly target?: LinkTarget | undefined
  readonly note?: number | undefined
  readonly width: number
  readonly natural: number
  /** What programs leave of themselves between scripts, in it and before it. */
  readonly gaps: number
  /** How many letters there are. */
  readonly count: number
}

/** What stands between a line and the next once lines are the program's affair. */
export type Join = '' | ' ' | '\u00ad' | '\n'

/** A line as it stood, measured. */
export interface MeasuredLine {
  readonly left: number
  readonly right: number
  readonly stretches: readonly Stretch[]
  readonly count: number
  readonly join: Join
  /** How much room the next line's first word takes behind this line; 0 for the last line. */
  readonly next: number
}

/** The face of a style's letters in Office. */
export const faceOf = ({ font, isBold, isItalic }: TextStyle): Face => ({ latin: officeFont(font).latin, isBold, isItalic })

const textOf = (runs: readonly Run[]): string => runs.map(({ text }) => text).join('')
const isSoft = (text: string): boolean => /[-\u2010]$/.test(text)

/** How a paragraph's lines were joined, told by its text. */
function joinsOf(lines: readonly Line[], runs: readonly Run[]): Join[] {
  const whole = textOf(runs)
  let at = 0
  return lines.map((line, n) => {
    const after = lines[n + 1]
    if (!after) return ''
    const text = textOf(line.runs).trimEnd()
    const next = textOf(after.runs).trimStart()
    const start = whole.indexOf(text.slice(0, -1), at)
    const end = start < 0 ? at : start + text.length
    at = end
    if (start >= 0 && isSoft(text) && whole.startsWith(next.slice(0, 8), end - 1)) {
      at = end - 1
      return '\u00ad'
    }
    return isWide(text.slice(-1)) || isWide(next.slice(0, 1)) || (start >= 0 && whole.startsWith(next.slice(0, 8), end)) ? '' : ' '
  })
}

/** The size in which a format draws a style's letters, in points. */
export type SizeOf = (style: TextStyle) => number

function stretchOf({ text, style, width, target, note }: Run, before: string, sizeOf: SizeOf): Stretch {
  const size = sizeOf(style)
  return {
    text,
    style,
    target,
    note,
    width,
    natural: textWidth(text, faceOf(style), size),
    gaps: autoSpace(before, text, size),
    count: [...text].length,
  }
}

/** The runs of a line without spaces at its ends. */
function trimmed(runs: readonly Run[], sizeOf: SizeOf): Run[] {
  const kept = [...runs]
  const last = kept.pop()
  if (!last) return []
  const text = last.text.trimEnd()
  if (text === last.text) return [...kept, last]
  if (text === '') return trimmed(kept, sizeOf)
  const spaces = textWidth(' ', faceOf(last.style), sizeOf(last.style)) * (last.text.length - text.length)
  return [...kept, { ...last, text, width: Math.max(last.width - spaces, last.width / 2) }]
}

const CLOSING = /^[\u3001\u3002\uff0c\uff1b\uff1a\uff1f\uff01\u201d\u2019\uff09\u300b\u3009\u3011\u300d\u300f\u3015)\]},.;:!?%]/

/** What of a line could not be parted from its beginning. */
function firstWord(text: string): string {
  const [first = ''] = text
  if (!isWide(first)) return /^[^\s\t]+/.exec(text)?.[0].split(/(?<=-)/)[0] ?? first
  let word = first
  for (const one of text.slice(first.length)) {
    if (!CLOSING.test(one)) break
    word += one
  }
  return word
}

function nextOf(join: Join, after: Line | undefined): number {
  const first = after?.runs[0]
  if (!after || !first) return 0
  const face = faceOf(first.style)
  const word = firstWord(textOf(after.runs).trimStart())
  return textWidth((join === ' ' ? ' ' : '') + word, face, first.style.size)
}

/** Runs without their first letters and the spaces behind those. */
function without(count: number, runs: readonly Run[]): Run[] {
  const [first, ...others] = runs
  if (!first) return []
  const letters = [...first.text]
  const rest = letters.slice(count).join('').trimStart()
  if (rest === '') return without(Math.max(0, count - letters.length), others)
  return [{ ...first, text: rest, width: (first.width * [...rest].length) / letters.length }, ...others]
}

/** A paragraph's lines without its list's mark, which is written apart. */
function unmarkedLines({ lines: [first, ...others], list, firstLeft }: Paragraph): readonly Line[] {
  const mark = [...(list?.text ?? '')]
  const isMarked = mark.length > 0 && textOf(first.runs).startsWith(mark.join(''))
  return isMarked ? [{ ...first, left: firstLeft, runs: without(mark.length, first.runs) }, ...others] : [first, ...others]
}

/** A paragraph's lines, measured. */
export function measuredLines(paragraph: Paragraph, sizeOf: SizeOf = drawnSize): MeasuredLine[] {
  const lines = unmarkedLines(paragraph)
  const joins = joinsOf(lines, paragraph.runs)
  return lines.map((line, at) => {
    const join = joins[at] ?? ''
    const stretches = trimmed(line.runs, sizeOf).map((run, n, all) => stretchOf(run, all[n - 1]?.text ?? '', sizeOf))
    return {
      left: line.left,
      right: line.right,
      stretches,
      count: stretches.reduce((sum, one) => sum + one.count, 0),
      join,
      next: nextOf(join, lines[at + 1]),
    }
  })
}
