import { expect, it } from 'vitest'
import { clockJumps } from '../fixtures/clock-jumps.ts'

// Object.assign(globalThis: this file has a process of its own.
it('jobs and their costs outlive a clock that jumps by an hour or a day; files outlive the hour', async () => {
  const report = await clockJumps([1, -1, 24, -24])
  expect(report).toMatchObject({ jobs: 16, kept: 16, missing: 0, forgotten: 0, wronglyCharged: 0 })
})
