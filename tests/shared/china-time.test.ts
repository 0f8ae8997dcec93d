import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boundsOf, clockOf, dayOf, daysBefore, momentOf } from '#shared/china-time'

const moments = fc.date({ min: new Date('2000-01-01T00:00:00Z'), max: new Date('2100-01-01T00:00:00Z'), noInvalidDate: true })

test('a clock in China shows what the time zone data base says', () => {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai', dateStyle: 'short', timeStyle: 'medium' })
  fc.assert(
    fc.property(moments, (at) => {
      expect(clockOf(at.getTime())).toBe(format.format(at).replace(' ', 'T'))
    }),
  )
})

test('a clock names its second, and every moment lies in its day', () => {
  fc.assert(
    fc.property(moments, (at) => {
      const ms = at.getTime()
      expect(momentOf(clockOf(ms))).toBe(ms - (ms % 1000))
      const { from, to } = boundsOf(dayOf(ms))
      expect(from.getTime() <= ms && ms < to.getTime()).toBe(true)
    }),
  )
  expect(momentOf('yesterday')).toBeNaN()
})

test('the day turns at midnight there, and days are counted back over months', () => {
  expect(dayOf(Date.parse('2026-02-28T15:59:59Z'))).toBe('2026-02-28')
  expect(dayOf(Date.parse('2026-02-28T16:00:00Z'))).toBe('2026-03-01')
  expect(daysBefore('2026-03-01', 1)).toBe('2026-02-28')
  expect(daysBefore('2024-03-01', 1)).toBe('2024-02-29')
})
