import { expect, test } from 'vitest'
import { elapsedText, isStill, runningStatus } from '#renderer/state/running'

test('a job counts its seconds from its first news, whatever comes after', () => {
  const first = runningStatus({ at: 'queued', ahead: 0 }, 0, 1000)
  const second = runningStatus(first, 0.3, 5000)
  expect(second).toEqual({ at: 'running', fraction: 0.3, sinceMs: 1000, movedMs: 5000 })
  expect(elapsedText(second, 9500)).toBe('8 秒')
})

test('seconds are not named in the first three, and minutes are', () => {
  const row = runningStatus(undefined, 0, 0)
  expect([0, 2999, 3000, 59_999, 60_000, 125_000].map((now) => elapsedText(row, now))).toEqual([
    '',
    '',
    '3 秒',
    '59 秒',
    '1 分 0 秒',
    '2 分 5 秒',
  ])
  // The shared clock may stand a moment before a row's first news.
  expect(elapsedText(runningStatus(undefined, 0, 500), 0)).toBe('')
})

test('a bar is still two seconds after its last step; news without a step changes nothing', () => {
  const row = runningStatus(runningStatus(undefined, 0.3, 0), 0.3, 1500)
  expect([1999, 2000].map((now) => isStill(row, now))).toEqual([false, true])
  expect(isStill(runningStatus(row, 0.4, 2000), 3999)).toBe(false)
})

test('a job that runs a second time starts its count anew', () => {
  expect(runningStatus({ at: 'queued', ahead: 1 }, 0, 60_000)).toMatchObject({ sinceMs: 60_000 })
})
