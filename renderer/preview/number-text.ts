const DAY_MS = 86_400_000
/** Day 0 of a spreadsheet's dates. */
const EPOCH = Date.UTC(1899, 11, 30)

/** Formats that are told by their number alone. */
const known: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  14: 'yyyy/m/d',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'yyyy/m/d h:mm',
}

/** The format of a number (numFmtId), the workbook's own first. */
export const formatOf = (id: number, own: ReadonlyMap<number, string>): string => own.get(id) ?? known[id] ?? 'General'

const pieces = (format: string): readonly string[] => format.match(/"[^"]*"|\\.|\[[^\]]*\]|y+|m+|d+|h+|s+|[^"\\ymdhs[]+/gi) ?? []
const isDate = (format: string): boolean => /[ymdhs]/i.test(format.replace(/"[^"]*"|\\.|\[[^\]]*\]/g, ''))
const padded = (value: number, length: number): string => String(value).padStart(length, '0')

function dateText(serial: number, format: string): string {
  const date = new Date(EPOCH + Math.round(serial * 86_400) * (DAY_MS / 86_400))
  let isTime = false
  return pieces(format)
    .map((piece) => {
      const kind = piece[0]?.toLowerCase() ?? ''
      if (kind === '"') return piece.slice(1, -1)
      if (kind === '\\') return piece.slice(1)
      if (kind === '[') return ''
      // Minutes stand behind hours.
      const wasTime = isTime
      isTime = kind === 'h' || (isTime && /^[:\s]/.test(piece)) || (kind === 'm' && isTime)
      if (kind === 'y') return piece.length > 2 ? String(date.getUTCFullYear()) : padded(date.getUTCFullYear() % 100, 2)
      if (kind === 'm') return padded(wasTime ? date.getUTCMinutes() : date.getUTCMonth() + 1, Math.min(2, piece.length))
      if (kind === 'd') return padded(date.getUTCDate(), Math.min(2, piece.length))
      if (kind === 'h') return padded(date.getUTCHours(), Math.min(2, piece.length))
      if (kind === 's') return padded(date.getUTCSeconds(), Math.min(2, piece.length))
      return piece
    })
    .join('')
}

/** A number's digits in a pattern of `#`, `0`, `,`, `.` and what stands around them. */
function patternText(value: number, pattern: string): string {
  const digits = /[#0][#0,]*(?:\.([0#]+))?/.exec(pattern)
  if (!digits) return unquoted(pattern)
  const isPercent = /%/.test(pattern.replace(/"[^"]*"/g, ''))
  const places = digits[1]?.length ?? 0
  const text = (isPercent ? value * 100 : value).toLocaleString('en-US', {
    minimumFractionDigits: places,
    maximumFractionDigits: places,
    minimumIntegerDigits: Math.max(1, (digits[0].split('.')[0] ?? '').replace(/[^0]/g, '').length),
    useGrouping: digits[0].includes(','),
  })
  return unquoted(pattern.slice(0, digits.index)) + text + unquoted(pattern.slice(digits.index + digits[0].length))
}

const unquoted = (text: string): string =>
  text
    .replace(/\[\$?([^\]-]*)[^\]]*\]/g, '$1')
    .replace(/_.|\*./g, '')
    .replace(/"([^"]*)"|\\(.)/g, (_all, quoted?: string, single?: string) => quoted ?? single ?? '')

/** A cell's number as its format shows it. */
export function numberText(digits: string, format: string): string {
  const value = Number(digits)
  if (!Number.isFinite(value) || format === 'General' || format === '@') return digits
  if (isDate(format)) return dateText(value, format)
  const [positive = '', negative, zero] = format.split(';')
  if (value < 0) return negative === undefined ? `-${patternText(-value, positive)}` : patternText(-value, negative)
  return patternText(value, value === 0 && zero !== undefined ? zero : positive)
}
