/** What a cell holds. A number's digits are those of the page, so that none is lost on the way; its format shows it as the page did. */
export type TypedValue =
  { readonly kind: 'text' } | { readonly kind: 'number'; readonly digits: string; readonly format: string; readonly isPlain: boolean }

const TEXT: TypedValue = { kind: 'text' }

/** Excel keeps so many digits of a number. */
const MOST_DIGITS = 15
/** A whole number of more digits, written without separators, counts nothing: it names something (accounts, cards, phones). */
const MOST_PLAIN_DIGITS = 10

const MINUS = /[-\u2212\u2013\uff0d]/
const CURRENCY = String.raw`(?:[￥¥$€£]|HK\$|US\$|RMB|CNY|USD|HKD)`
const NUMBER = String.raw`(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?`
const AMOUNT = new RegExp(String.raw`^(${CURRENCY})?(\s?)(${NUMBER})(\s?)(%|元)?$`)

/** Full-width forms of what numbers are written with, as they are otherwise. */
const HALF: Readonly<Record<string, string>> = { '％': '%', '＄': '$', '（': '(', '）': ')', '．': '.', '＋': '+' }
const halved = (text: string): string =>
  text.replace(/[％＄（）．＋]/g, (one) => HALF[one] ?? one).replace(/[０-９]/g, (one) => String.fromCharCode(one.charCodeAt(0) - 0xfee0))

const quoted = (text: string): string => (text === '' ? '' : `"${text}"`)

/** A sign, and what is signed; parentheses are one too, as accountants write it. */
interface Signed {
  readonly rest: string
  readonly isNegative: boolean
  /** What stands before and behind the amount, and between its currency and its digits. */
  readonly around: readonly [string, string]
  readonly inner: string
}

function signedOf(text: string): Signed {
  const inParentheses = /^\(\s?(.+?)\s?\)$/.exec(text)
  if (inParentheses?.[1] !== undefined) return { rest: inParentheses[1], isNegative: true, around: ['(', ')'], inner: '' }
  const first = text.slice(0, 1)
  if (MINUS.test(first) || first === '负' || first === '+') {
    return { rest: text.slice(1).trimStart(), isNegative: first !== '+', around: [first, ''], inner: '' }
  }
  // ￥-12.00
  const inside = new RegExp(`^(${CURRENCY})(${MINUS.source}|负)(?=\\d)`).exec(text)
  const [whole, currency = '', sign = ''] = inside ?? []
  if (whole !== undefined) return { rest: currency + text.slice(whole.length), isNegative: true, around: ['', ''], inner: sign }
  return { rest: text, isNegative: false, around: ['', ''], inner: '' }
}

/** `12.5` with the point moved: percent are hundredths. Done on digits, as floating point would leave 0.12500000000000003. */
function hundredth(digits: string): string {
  const [whole = '', part = ''] = digits.split('.')
  const padded = whole.padStart(3, '0')
  return `${padded.slice(0, -2).replace(/^0+(?=\d)/, '')}.${padded.slice(-2)}${part}`
}

/** How a number's format writes its digits: with separators where the page has them, and as many places behind the point. */
function digitFormat(digits: string): string {
  const places = digits.split('.')[1]?.length ?? 0
  return (digits.includes(',') ? '#,##0' : '0') + (places > 0 ? `.${'0'.repeat(places)}` : '')
}

function amountOf(text: string): TypedValue {
  const { rest, isNegative, around, inner } = signedOf(text)
  const [whole, currency = '', space = '', shown = '', gap = '', unit = ''] = AMOUNT.exec(rest) ?? []
  if (whole === undefined || (unit === '' && gap !== '') || (currency === '' && space !== '')) return TEXT
  // One is enough: `$5%` and `￥5元` are no amounts.
  if (currency !== '' && unit !== '') return TEXT
  const digits = shown.replaceAll(',', '')
  const isSigned = isNegative || around[0] !== ''
  if (/^0\d/.test(digits) || digits.replace('.', '').replace(/^0+/, '').length > MOST_DIGITS) return TEXT
  const isBare = currency === '' && unit === '' && !shown.includes(',') && !shown.includes('.')
  if (isBare && (digits.length > MOST_PLAIN_DIGITS || (around[0] === '(' && digits.length < 4))) return TEXT
  const number = digitFormat(shown)
  const behind = unit === '%' ? `${quoted(gap)}%` : quoted(gap + unit)
  const plain = quoted(currency + space) + number + behind
  const signed = quoted(around[0] + currency + inner + (inner === '' ? space : '')) + number + behind + quoted(around[1])
  // What is plus in the cell must not take the sign along when it changes.
  const format = !isSigned
    ? plain
    : around[0] === '+'
      ? `${signed};${quoted('-')}${plain};${plain}`
      : around[0] === '-'
        ? plain
        : `${plain};${signed}`
  const value = unit === '%' ? hundredth(digits) : digits
  return { kind: 'number', digits: (isNegative ? '-' : '') + value, format, isPlain: isBare && !isSigned }
}

/** Year, month and day with what stands between them, and a time behind them. */
const DATE = /^(\d{4})([-/.年])(\d{1,2})([-/.月])(\d{1,2})(日?)(?:(\s)(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/
const MONTH = /^(\d{4})年(\d{1,2})月$/
const DAY_MS = 86_400_000
/** Day 0 of Excel's calendar, from March 1900 on, when it agrees with everyone else's. */
const DAY_0 = Date.UTC(1899, 11, 30)
const FIRST_YEAR = 1901
const LAST_YEAR = 2199

function dayNumber(year: number, month: number, day: number): number | undefined {
  const time = Date.UTC(year, month - 1, day)
  const date = new Date(time)
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= FIRST_YEAR && year <= LAST_YEAR
  return isReal ? (time - DAY_0) / DAY_MS : undefined
}

/** `m` for `1`, `mm` for `01`; what has two digits anyhow goes by the other part of the date. */
function token(letter: string, digits: string, other: string, isChinese: boolean): string {
  const isPadded = digits.startsWith('0') || (digits.length > 1 && (other.startsWith('0') || (other.length > 1 && !isChinese)))
  return isPadded ? letter + letter : letter
}

function dateOf(text: string): TypedValue {
  const [month, monthYear = '', monthDigits = ''] = MONTH.exec(text) ?? []
  if (month !== undefined) {
    const serial = dayNumber(Number(monthYear), Number(monthDigits), 1)
    return serial === undefined
      ? TEXT
      : { kind: 'number', digits: String(serial), format: `yyyy"年"${monthDigits.startsWith('0') ? 'mm' : 'm'}"月"`, isPlain: false }
  }
  const [whole, year = '', first = '', m = '', second = '', d = '', end = '', space = '', hours = '', minutes = '', seconds] =
    DATE.exec(text) ?? []
  const isChinese = first === '年'
  if (whole === undefined || (isChinese ? second !== '月' || end !== '日' : first !== second || end !== '')) return TEXT
  const serial = dayNumber(Number(year), Number(m), Number(d))
  if (serial === undefined || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds ?? 0) > 59) return TEXT
  // Quoted, as a bare slash stands for whatever the reader's country parts dates with.
  const date = `yyyy${quoted(first)}${token('m', m, d, isChinese)}${quoted(second)}${token('d', d, m, isChinese)}${quoted(end)}`
  if (space === '') return { kind: 'number', digits: String(serial), format: date, isPlain: false }
  const day = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds ?? 0)) / 86_400
  return {
    kind: 'number',
    digits: String(serial + day),
    format: `${date} ${hours.length > 1 ? 'hh' : 'h'}:mm${seconds === undefined ? '' : ':ss'}`,
    isPlain: false,
  }
}

/**
 * What a cell's text is to a spreadsheet: a number with the format that shows it as the page did (amounts, percentages, dates), or text. Whatever may be
 * a name rather than a number stays text: leading zeros, more than 15 digits, phone numbers, `3-1`, `1/2`.
 */
export function typedValue(shown: string): TypedValue {
  const text = halved(shown.trim())
  if (!/\d/.test(text) || text.length > 40) return TEXT
  const date = dateOf(text)
  return date.kind === 'number' ? date : amountOf(text)
}
