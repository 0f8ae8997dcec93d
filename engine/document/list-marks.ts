import type { ListMark } from './document-model.ts'
import type { Letter, Piece } from './pieces.ts'

const BULLET =
  /^[\u2022\u00b7\u2219\u25cf\u25a0\u25aa\u25ab\u25e6\u25c6\u25c7\u25ba\u25b6\u27a2\u2713\u2714\u2756\uf06c\uf06e\uf075\uf0a7\uf0b7\uf0d8\uf0fc](?=\D|$)/
const NUMBERED =
  /^(?:[（(]\s?(?<inner>\d{1,3}|[一二三四五六七八九十]{1,3}|[a-zA-Z]|[ivx]{1,4})\s?[）)]|(?<arabic>\d{1,3})[.)、）．](?!\d)|(?<han>[一二三四五六七八九十]{1,3})[、．]|(?<letter>[a-zA-Z])[.)、）．](?=\s|$)|\[(?<cited>\d{1,3})\]|(?<circled>[\u2460-\u2473])|第(?<nth>[一二三四五六七八九十百\d]{1,5})[条章节编部])/

const DIGITS = '零一二三四五六七八九'

/** The value of a number written in Chinese, below a thousand. */
function hanNumber(text: string): number {
  let total = 0
  let digit = 0
  for (const letter of text) {
    if (letter === '十' || letter === '百') {
      total += (digit || 1) * (letter === '十' ? 10 : 100)
      digit = 0
    } else digit = DIGITS.indexOf(letter)
  }
  return total + digit
}

function valueOf(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text)
  if (/^[一二三四五六七八九十百]+$/.test(text)) return hanNumber(text)
  if (/^[a-zA-Z]$/.test(text)) return text.toLowerCase().charCodeAt(0) - 96
  return undefined
}

/** A list's mark at the head of a piece, how many of its letters it takes with the space behind it, and where the text behind it begins. */
export interface FoundMark {
  readonly mark: Omit<ListMark, 'level'>
  readonly letters: number
  /** Undefined where the line has nothing else. */
  readonly textLeft: number | undefined
  /** Marks of one kind are alike but for their number. */
  readonly kind: string
}

/** How many letters make up so many characters (a letter may stand for several). */
function lettersFor(letters: readonly Letter[], length: number): number {
  let count = 0
  for (let seen = 0; count < letters.length && seen < length; count++) seen += letters[count]?.text.length ?? 0
  while (letters[count]?.text.trim() === '') count++
  return count
}

/** The mark a line begins with, if it has one. */
export function markOf({ text, letters, left }: Piece): FoundMark | undefined {
  const style = letters[0]?.style
  if (!style) return undefined
  const bullet = BULLET.exec(text)
  const found = bullet ?? NUMBERED.exec(text)
  // A number between two signs (· 3 ·) is a page's.
  if (!found || (bullet && text.trimEnd().endsWith(bullet[0]))) return undefined
  const written = found[0].trimEnd()
  const count = lettersFor(letters, written.length)
  const groups = found.groups ?? {}
  const inner = Object.entries(groups).find(([, value]) => value !== undefined)
  const number = written.length === 1 && /[\u2460-\u2473]/.test(written) ? written.charCodeAt(0) - 0x245f : inner?.[1] && valueOf(inner[1])
  const mark = { text: written, style, left, ...(typeof number === 'number' && { number }) }
  return { mark, letters: count, textLeft: letters[count]?.left, kind: bullet ? written : written.replace(inner?.[1] ?? written, '#') }
}
