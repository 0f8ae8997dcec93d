import type { Letter, Piece } from '../pieces.ts'

/** A mark in a text that calls a note, or that a note begins with; the same `key` makes them belong together. */
export interface NoteMark {
  readonly key: string
  /** Its first letter and the one behind its last. */
  readonly from: number
  readonly to: number
  /** It is raised, or of a kind that stands for nothing else. */
  readonly isSure: boolean
}

/** Digits that are raised by themselves, in the order of their values. */
const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹'
const CIRCLED = '\u2460-\u2473\u3251-\u325f\u32b1-\u32bf'
const [OPEN, CLOSE] = ['[［〔【', '\\]］〕】']
const SYMBOLS = '[*＊]{1,4}|[†‡§]{1,2}'
/** All that a group of raised letters may say to be marks, one or several (1,2). */
const RAISED_MARK = new RegExp(`[${CIRCLED}]|[${OPEN}]\\d{1,3}[${CLOSE}]|[（(]\\d{1,2}[)）]|\\d{1,3}|${SYMBOLS}`, 'gu')
const BETWEEN = /^[,，、;；\s]*$/
/** Marks among letters of their own size: behind something, and nothing but a text's end, a sign or Chinese text behind them. */
const PLAIN_MARK = new RegExp(
  `(?<=\\S)(?:[${CIRCLED}]|[${OPEN}]\\d{1,3}[${CLOSE}]|[*＊]{1,3}|[†‡]{1,2})(?=$|[\\s\\p{P}\\p{Script=Han}])`,
  'gu',
)
/** What stands before a raised number that is a power: ten, a unit, a variable. */
const BASE = /(?:(?:^|\D)10|(?:^|[^A-Za-z])(?:[kcdmnμ]?m|s|kg|g|[A-Za-zα-ω]))$/
const HEAD = new RegExp(`^(?:[${CIRCLED}]|[${OPEN}]\\d{1,3}[${CLOSE}]|[（(]\\d{1,2}[)）]|${SYMBOLS}|\\d{1,3}(?!\\d|[.．,，]\\d))`, 'u')
/** Behind a number that is not raised stands what parts it from its note. */
const PARTED = /^(?:[.．、)）:：]|\s)/

/** Digits for raised digits, and one way to write brackets and stars. */
const plain = (text: string): string =>
  text
    .replaceAll(/[⁰¹²³⁴⁵⁶⁷⁸⁹]/g, (digit) => String(RAISED.indexOf(digit)))
    .replaceAll(/[［〔【]/g, '[')
    .replaceAll(/[］〕】]/g, ']')
    .replaceAll('＊', '*')
    .replaceAll('（', '(')
    .replaceAll('）', ')')

/** A letter that stands raised, or looks so by itself. */
export const isRaised = ({ text, style }: Letter): boolean => style.script === 'super' || (text.length > 0 && RAISED.includes(text))

/** A raised digit as the digit it stands for. */
export const loweredText = ({ text }: Letter): string => (text.length > 0 && RAISED.includes(text) ? plain(text) : text)

/** Which letter each character of a text belongs to; the last entry is the count of letters. */
function owners(letters: readonly Letter[]): number[] {
  return [...letters.flatMap(({ text }, at) => Array.from({ length: text.length }, () => at)), letters.length]
}

const saying = (letters: readonly Letter[]): string => letters.map(({ text }) => text).join('')

/** Groups of raised letters with the letters' first and the one behind their last. */
function raisedGroups(letters: readonly Letter[]): (readonly [from: number, to: number])[] {
  const groups: [number, number][] = []
  for (const [at, letter] of letters.entries()) {
    if (!isRaised(letter) || letter.text.trim() === '') continue
    const last = groups.at(-1)
    if (last?.[1] === at) last[1] = at + 1
    else groups.push([at, at + 1])
  }
  return groups
}

function marksIn(letters: readonly Letter[], [from, to]: readonly [number, number], pattern: RegExp, isSure: (text: string) => boolean) {
  const own = letters.slice(from, to)
  const matches = [...plain(saying(own)).matchAll(pattern)]
  const owner = matches.length > 0 ? owners(own) : []
  return matches.map((found): NoteMark => {
    const [text] = found
    const end = owner[found.index + text.length] ?? own.length
    return { key: text, from: from + (owner[found.index] ?? 0), to: from + end, isSure: isSure(text) }
  })
}

/** The marks in a piece of text that may call notes, from the left. A piece's own head calls none. */
export function callsIn({ letters }: Piece): readonly NoteMark[] {
  const groups = raisedGroups(letters).filter(([from]) => from > 0)
  const raised = groups.flatMap((group) => {
    const text = plain(saying(letters.slice(...group)))
    if (!BETWEEN.test(text.replaceAll(RAISED_MARK, ''))) return []
    if (/^\d/.test(text) && BASE.test(saying(letters.slice(0, group[0])))) return []
    return marksIn(letters, group, RAISED_MARK, () => true)
  })
  const plainMarks = marksIn(letters, [0, letters.length], PLAIN_MARK, (text) => /[†‡]/.test(text))
  return [...raised, ...plainMarks.filter(({ from, to }) => letters.slice(from, to).every((letter) => !isRaised(letter)))]
}

/** The mark that a piece begins with if it may be a note; `next` is what stands behind it on its line. */
export function headOf({ letters }: Piece, next?: Piece): NoteMark | undefined {
  const text = plain(saying(letters))
  const found = HEAD.exec(text)?.[0]
  if (found === undefined) return undefined
  const to = owners(letters)[found.length] ?? letters.length
  const isHigh = letters.slice(0, to).every(isRaised)
  const rest = text.slice(found.length)
  if (rest.trim() === '' && !next) return undefined
  if (/^\d/.test(found) && !isHigh && rest !== '' && !PARTED.test(rest)) return undefined
  return { key: found, from: 0, to, isSure: isHigh }
}

/** The number of a mark that counts. */
export function numberOf(key: string): number | undefined {
  const digits = /\d+/.exec(key)
  if (digits) return Number(digits[0])
  const code = key.codePointAt(0) ?? 0
  if (code >= 0x2460 && code <= 0x2473) return code - 0x245f
  if (code >= 0x3251 && code <= 0x325f) return code - 0x3251 + 21
  return code >= 0x32b1 && code <= 0x32bf ? code - 0x32b1 + 36 : undefined
}
