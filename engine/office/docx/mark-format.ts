import type { ListMark } from '#engine/document/document-model'

/** How Word writes marks: its name of the numbers, and the mark with `%` for its number. */
export interface MarkFormat {
  readonly kind: string
  readonly pattern: string
}

const DIGITS = '〇一二三四五六七八九'

/** 1 to 99 as they are counted in Chinese. */
function chinese(number: number): string {
  const [tens, ones] = [Math.floor(number / 10), number % 10]
  const head = tens === 0 ? '' : tens === 1 ? '十' : `${DIGITS[tens]}十`
  return head + (ones === 0 ? '' : DIGITS[ones])
}

function roman(number: number): string {
  const parts = ['c', 'xc', 'l', 'xl', 'x', 'ix', 'v', 'iv', 'i']
  const worth = [100, 90, 50, 40, 10, 9, 5, 4, 1]
  let [left, text] = [number, '']
  for (const [at, value] of worth.entries()) for (; left >= value; left -= value) text += parts[at] ?? ''
  return text
}

const letter = (number: number): string => (number <= 26 ? String.fromCodePoint(96 + number) : '')
const circled = (number: number): string => (number <= 20 ? String.fromCodePoint(0x2460 + number - 1) : '')

/** Word's kinds of numbers (ST_NumberFormat) and how it writes them. */
const KINDS: Readonly<Record<string, (number: number) => string>> = {
  decimal: String,
  chineseCountingThousand: chinese,
  decimalEnclosedCircle: circled,
  lowerLetter: letter,
  upperLetter: (number) => letter(number).toUpperCase(),
  lowerRoman: roman,
  upperRoman: (number) => roman(number).toUpperCase(),
  decimalZero: (number) => String(number).padStart(2, '0'),
}

const MOST = 99

/** The format in which Word writes a mark exactly as it is, or undefined where it has none: then the mark stays text. */
export function markFormat({ text, number }: ListMark): MarkFormat | undefined {
  const mark = text.trim()
  if (number === undefined) return /^[^\p{L}\p{N}%]{1,2}$/u.test(mark) ? { kind: 'bullet', pattern: mark } : undefined
  if (number < 1 || number > MOST || mark.includes('%')) return undefined
  for (const [kind, write] of Object.entries(KINDS)) {
    const written = write(number)
    const at = written === '' ? -1 : mark.lastIndexOf(written)
    const around = at < 0 ? '' : mark.slice(0, at) + mark.slice(at + written.length)
    if (at >= 0 && !/[\p{L}\p{N}]/u.test(around.replaceAll(/[第条章节]/g, '')))
      return { kind, pattern: `${mark.slice(0, at)}%${mark.slice(at + written.length)}` }
  }
  return undefined
}
