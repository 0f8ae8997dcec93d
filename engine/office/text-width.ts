import { FONT_WIDTHS, WIDTH_RANGES } from './font-widths.ts'

/** Which letters are measured: an Office font's name and its style. */
export interface Face {
  readonly latin: string
  readonly isBold: boolean
  readonly isItalic: boolean
}

/** Characters one em wide (UAX #11, W and F), and punctuation that takes the width of what is around it. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff01-\uff60\uffe0-\uffe6]/
const AMBIGUOUS =
  /[\u00b7\u00d7\u2014\u2018\u2019\u201c\u201d\u2025\u2026\u2030\u2103\u2160-\u217f\u2190-\u2193\u2460-\u24ff\u2500-\u257f\u25a0-\u26ff]/

/** Whether a character is as wide as it is high, as Chinese ones are. */
export const isWide = (character: string): boolean => WIDE.test(character) || (character.codePointAt(0) ?? 0) >= 0x20000

/** What a character of no table is taken for, in ems: about what small letters have. */
const UNKNOWN = 0.5
const MONOSPACED = 0.6

const decoded = new Map<string, Uint16Array>()

function tableOf({ latin, isBold, isItalic }: Face): Uint16Array | undefined {
  const style = (isBold ? 1 : 0) + (isItalic ? 2 : 0)
  const key = `${latin} ${style}`
  const kept = decoded.get(key)
  if (kept) return kept
  const widths = FONT_WIDTHS[latin]?.[style]
  if (widths === undefined) return undefined
  const table = Uint16Array.from({ length: widths.length / 2 }, (_, at) => Number.parseInt(widths.slice(at * 2, at * 2 + 2), 36))
  decoded.set(key, table)
  return table
}

function indexOf(code: number): number {
  let before = 0
  for (const [from, to] of WIDTH_RANGES) {
    if (code < from) return -1
    if (code <= to) return before + code - from
    before += to - from + 1
  }
  return -1
}

/** How wide a character is in ems. `isAfterWide`: it follows a Chinese one, whose width punctuation of both scripts then has. */
export function characterWidth(character: string, face: Face, isAfterWide: boolean): number {
  if (isWide(character) || (isAfterWide && AMBIGUOUS.test(character))) return 1
  if (face.latin === 'Courier New') return MONOSPACED
  const at = indexOf(character.codePointAt(0) ?? 0)
  const width = at < 0 ? 0 : (tableOf(face)?.[at] ?? 0)
  return width > 0 ? width / 1000 : AMBIGUOUS.test(character) ? 1 : UNKNOWN
}

/** What Word and others leave between a Chinese character and a letter or a digit by themselves, in ems. */
const AUTO_SPACE = 0.22
const IDEOGRAPH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const LETTER = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}0-9]/u

/** The room that programs leave by themselves in text that follows `before`, in points. */
export function autoSpace(before: string, text: string, size: number): number {
  let count = 0
  let last = before.slice(-2)
  for (const one of text) {
    if ((IDEOGRAPH.test(last) && LETTER.test(one) && one < '\uff00') || (LETTER.test(last) && last < '\uff00' && IDEOGRAPH.test(one)))
      count += 1
    last = one
  }
  return count * AUTO_SPACE * size
}

/** How wide text is in points at a size, set without any change to its spacing. */
export function textWidth(text: string, face: Face, size: number): number {
  let ems = 0
  let isAfterWide = false
  for (const character of text) {
    ems += characterWidth(character, face, isAfterWide)
    isAfterWide = isWide(character) || (isAfterWide && AMBIGUOUS.test(character))
  }
  return ems * size
}
