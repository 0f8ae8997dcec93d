import { XML_DECLARATION } from '../office/xml.ts'

const MM_PER_POINT = 25.4 / 72

/** What is smaller is nothing, in millimetres. */
const DECIMALS = 3

/** A length in points as millimetres. */
export const inMm = (points: number): number => points * MM_PER_POINT

/** A number as it is written: three decimals of a millimetre are finer than any printer. */
export function written(value: number, decimals = DECIMALS): string {
  const text = value.toFixed(decimals)
  return text.includes('.') ? text.replace(/\.?0+$/, '').replace(/^-0$/, '0') : text
}

/** Numbers as an ST_Array, an ST_Box or an ST_Pos. */
export const list = (...values: readonly number[]): string => values.map((value) => written(value)).join(' ')

/** The namespace that every root element declares. */
export const OFD = { 'xmlns:ofd': 'http://www.ofdspec.org/2016' } as const

/** What stands before a part's root element. */
export const DECLARATION = XML_DECLARATION.replace(' standalone="yes"', '')
