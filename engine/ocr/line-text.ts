import { isCjk, isFullWidth } from './extents.ts'
import type { Letter } from './measure-line.ts'

/** The signs that a recogniser confuses with those of Chinese type. */
const WIDE: Readonly<Record<string, string>> = { ',': '，', ':': '：', ';': '；', '?': '？', '!': '！', '(': '（', ')': '）' }
/** Signs beside which there is more room than beside a letter. */
const NARROW = /[1iIl.,:;'!|()]/
/** A gap between words in parts of the size: between letters, beside narrow signs, and between digits. */
const WORD_GAP = { letters: 0.19, narrow: 0.3, digits: 0.42 }

const isDigit = (text: string): boolean => /\d/.test(text)

function isWordGap(left: Letter, right: Letter, size: number): boolean {
  if (isFullWidth(left.text) || isFullWidth(right.text)) return false
  const gap = (right.left - left.right) / size
  if (isDigit(left.text) && isDigit(right.text)) return gap > WORD_GAP.digits
  const isPunctuated = /[,.:;!?)]/.test(left.text) && !/[,.:;!?)]/.test(right.text)
  const isNarrow = NARROW.test(right.text) || (!isPunctuated && NARROW.test(left.text))
  return gap > (isNarrow ? WORD_GAP.narrow : WORD_GAP.letters)
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
  return isFullWidth(before) && (behind === undefined || isFullWidth(behind) || !isDigit(behind)) ? wide : text
}

const openerOf = (letters: readonly Letter[], at: number): number =>
  letters.findLastIndex((one, index) => index < at && /[(（]/.test(one.text))

/** Letters with the spaces between words, and signs as the writing beside them has them. */
export function spelled(letters: readonly Letter[], size: number): readonly Letter[] {
  let before = ''
  return letters.flatMap((letter, at) => {
    const text = sign(letters, at, before)
    before = text
    const next = letters[at + 1]
    const isSpaced = next !== undefined && isWordGap(letter, next, size)
    return [{ ...letter, text }, ...(isSpaced ? [{ text: ' ', left: letter.right, right: next.left }] : [])]
  })
}
