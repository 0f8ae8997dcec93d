import { isCjk, isFullWidth } from './extents.ts'
import type { Letter } from './measure-line.ts'

/** The signs that a recogniser confuses with those of Chinese type. */
const WIDE: Readonly<Record<string, string>> = { ',': '，', ':': '：', ';': '；', '?': '？', '!': '！', '(': '（', ')': '）' }
/** Signs beside which there is more room than beside a letter. */
const NARROW = /[1iIl.,:;'!|()]/
/** A gap is one between words where it is so much wider than most between the letters of its line, in parts of their size; … */
const WIDER = 0.16
const WIDER_BESIDE_NARROW = 0.22
/** … figures stand in cells of one width, … */
const FIGURES = 0.42
/** … and where a space was read, little is enough. */
const READ = 0.1

const isFigure = (text: string): boolean => /[\d.,]/.test(text)
const gapBefore = (letters: readonly Letter[], at: number): number => (letters[at]?.left ?? 0) - (letters[at - 1]?.right ?? 0)

/** The gap that most letters of a line have between them where they are no Chinese ones, in parts of their size. */
function usualGap(letters: readonly Letter[], size: number): number {
  const gaps = letters.flatMap(({ text }, at) => {
    const former = letters[at - 1]?.text ?? '中'
    return isFullWidth(text) || isFullWidth(former) ? [] : [gapBefore(letters, at) / size]
  })
  return gaps.length < 4 ? 0.08 : Math.min(0.25, gaps.toSorted((a, b) => a - b)[gaps.length >> 1] ?? 0)
}

function isWordStart(letters: readonly Letter[], at: number, size: number, usual: number): boolean {
  const [left, right] = [letters[at - 1], letters[at]]
  if (!left || !right || isFullWidth(left.text) || isFullWidth(right.text)) return false
  const gap = gapBefore(letters, at) / size
  if (right.isApart) return gap > READ
  if (isFigure(left.text) && isFigure(right.text)) return gap > Math.max(FIGURES, usual + WIDER)
  const isNarrow = NARROW.test(left.text) || NARROW.test(right.text)
  return gap > usual + (isNarrow ? WIDER_BESIDE_NARROW : WIDER)
}

/** A sign as Chinese text has it, where it stands in such; `before` is what stands before it. */
function sign(letters: readonly Letter[], at: number, before: string): string {
  const { text } = letters[at] ?? { text: '' }
  const wide = WIDE[text]
  if (wide === undefined) return text
  const behind = letters[at + 1]?.text
  if (text === '(' || text === ')') {
    // Both brackets of a pair look at the same letters.
    const [from, to] =
      text === '(' ? [at, letters.findIndex((one, index) => index > at && /[)）]/.test(one.text))] : [openerOf(letters, at), at]
    const inside = letters.slice(Math.max(0, from) + 1, to < 0 ? letters.length : to)
    const outside = letters[from - 1]?.text ?? ''
    return inside.some((one) => isCjk(one.text)) || isCjk(outside) ? wide : text
  }
  return isFullWidth(before) && (behind === undefined || isFullWidth(behind) || !/\d/.test(behind)) ? wide : text
}

const openerOf = (letters: readonly Letter[], at: number): number =>
  letters.findLastIndex((one, index) => index < at && /[(（]/.test(one.text))

/** Letters with the spaces between words, and signs as the writing beside them has them. */
export function spelled(letters: readonly Letter[], size: number): readonly Letter[] {
  const usual = usualGap(letters, size)
  let before = ''
  return letters.flatMap((letter, at) => {
    const text = sign(letters, at, before)
    before = text
    const former = letters[at - 1]
    const isApart = former !== undefined && isWordStart(letters, at, size, usual)
    return [...(isApart ? [{ text: ' ', left: former.right, right: letter.left }] : []), { ...letter, text }]
  })
}
