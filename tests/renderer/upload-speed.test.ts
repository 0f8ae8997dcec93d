import { expect, test } from 'vitest'
import { uploadSpeed } from '#renderer/state/upload-speed'

test('an upload says how fast it is after a second, and what a line does now, not what it did', () => {
  const speed = uploadSpeed()
  expect(speed(0, 0)).toBeUndefined()
  expect(speed(500_000, 500)).toBeUndefined()
  expect(speed(1_000_000, 1000)).toBe(1_000_000)
  expect(speed(5_000_000, 5000)).toBe(1_000_000)
  for (let at = 6000; at <= 12_000; at += 1000) speed(5_000_000 + (at - 5000) * 100, at)
  expect(speed(5_000_000 + 8000 * 100, 13_000)).toBeCloseTo(100_000, -3)
})
