import { describe, expect, it } from 'vitest'
import { channels, csvOf, dateNyr, dayLabel, sumOf, type PaidOrder } from '#renderer/paid/paid-orders'

const order = (price: number): PaidOrder => ({ date: '2026-07-01', time: '08:00:00', price, channel: 'biying', orderid: '……abc123' })

it('names days as China has them, without padding', () => {
  const beforeMidnight = Date.parse('2026-03-01T15:59:59Z')
  expect([dateNyr(0, beforeMidnight), dateNyr(1, beforeMidnight)]).toEqual(['3/1/2026', '2/28/2026'])
  expect(dateNyr(0, beforeMidnight + 1000)).toBe('3/2/2026')
  expect(dateNyr(16, Date.parse('2026-01-10T04:00:00Z'))).toBe('12/25/2025')
})

it('offers biying seventeen days and 360 two', () => {
  expect(channels.map(({ id, daysBack }) => [id, daysBack])).toEqual([
    ['biying', 16],
    ['360', 1],
  ])
  expect([0, 1, 2, 16].map(dayLabel)).toEqual(['今天', '昨天', '2 天前', '16 天前'])
})

it('adds prices up without the errors of floating point', () => {
  expect(sumOf([])).toBe('0.00')
  expect(sumOf([order(0.1), order(0.2)])).toBe('0.30')
  expect(sumOf(Array.from({ length: 1000 }, () => order(9.9)))).toBe('9900.00')
  expect(sumOf([order(28), order(9.8), order(1.005)])).toBe('38.80')
})

describe('a table for spreadsheets', () => {
  it('starts with a byte order mark and quotes every cell', () => {
    expect(
      csvOf([
        ['日期', '金额'],
        ['7/1/2026', '28'],
      ]),
    ).toBe('\uFEFF"日期","金额"\r\n"7/1/2026","28"\r\n')
  })

  it('keeps quotes, commas and line ends inside their cell', () => {
    expect(csvOf([['a"b,c\r\nd']])).toBe('\uFEFF"a""b,c\r\nd"\r\n')
  })

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])('has %j read as text', (text) => {
    expect(csvOf([[text]])).toBe(`\uFEFF"'${text}"\r\n`)
  })
})
