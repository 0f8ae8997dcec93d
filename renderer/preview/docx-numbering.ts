import { at, elements, numberOf, type XmlElement } from './xml.ts'

const DIGITS = '〇一二三四五六七八九'

function chinese(number: number): string {
  const [tens, ones] = [Math.floor(number / 10), number % 10]
  const head = tens === 0 ? '' : tens === 1 ? '十' : `${DIGITS[tens] ?? ''}十`
  return head + (ones === 0 ? '' : (DIGITS[ones] ?? ''))
}

function roman(number: number): string {
  const parts: readonly (readonly [string, number])[] = [
    ['c', 100],
    ['xc', 90],
    ['l', 50],
    ['xl', 40],
    ['x', 10],
    ['ix', 9],
    ['v', 5],
    ['iv', 4],
    ['i', 1],
  ]
  let [left, text] = [number, '']
  for (const [part, worth] of parts) for (; left >= worth; left -= worth) text += part
  return text
}

const letter = (number: number): string => String.fromCodePoint(97 + ((number - 1) % 26))

/** Word's kinds of numbers (ST_NumberFormat); what is not among them counts as usual. */
const kinds: Readonly<Record<string, (number: number) => string>> = {
  chineseCounting: chinese,
  chineseCountingThousand: chinese,
  decimalEnclosedCircle: (number) => (number <= 20 ? String.fromCodePoint(0x2460 + number - 1) : String(number)),
  lowerLetter: letter,
  upperLetter: (number) => letter(number).toUpperCase(),
  lowerRoman: roman,
  upperRoman: (number) => roman(number).toUpperCase(),
  decimalZero: (number) => String(number).padStart(2, '0'),
}

/** A number as Word writes it in a format (ST_NumberFormat). */
export const numbered = (number: number, format = 'decimal'): string => (kinds[format] ?? String)(number)

/** Counts a document's lists: the mark of the next paragraph of a list, undefined for one that has none. */
export function createMarks(numbering: XmlElement | undefined): (id: string, level: number) => string | undefined {
  const root = at(numbering, 'w:numbering')
  const lists = new Map((root ? elements(root, 'w:abstractNum') : []).map((one) => [one.attributes['w:abstractNumId'], one]))
  const listOf = new Map(
    (root ? elements(root, 'w:num') : []).map((one) => [one.attributes['w:numId'], at(one, 'w:abstractNumId')?.attributes['w:val']]),
  )
  const counts = new Map<string, number>()
  return (id, level) => {
    const list = lists.get(listOf.get(id))
    const place = list && elements(list, 'w:lvl').find((one) => numberOf(one, 'w:ilvl') === level)
    if (!place) return undefined
    const key = `${id} ${level}`
    const number = (counts.get(key) ?? (numberOf(at(place, 'w:start'), 'w:val') ?? 1) - 1) + 1
    counts.set(key, number)
    const mark = numbered(number, at(place, 'w:numFmt')?.attributes['w:val'])
    return at(place, 'w:lvlText')?.attributes['w:val']?.replace(/%\d/, mark)
  }
}
