import { expect, it } from 'vitest'
import { clockJumps } from '../fixtures/clock-jumps.ts'
import { randomFrom } from '../fixtures/pictures.ts'
import { print, rounds, seedOf, spread } from '../fixtures/rounds.ts'

const SHORTEST_HOURS = 1 / 3600
const LONGEST_HOURS = 25

it('a clock that is set ahead and back, by a second to a day', { timeout: 3_600_000 }, async () => {
  const random = randomFrom(seedOf(0))
  // As many short jumps as long ones; as many back as ahead, so that sessions do not end of old age.
  const hours = Array.from({ length: rounds(40) }, (_, n) => {
    const size = SHORTEST_HOURS * (LONGEST_HOURS / SHORTEST_HOURS) ** random()
    return n % 2 === 0 ? size : -size
  })
  const { seconds, ...report } = await clockJumps(hours)
  print('clock jumps', { rounds: hours.length, ...report, 'seconds from a jump to all jobs ended': spread(seconds) })
  expect(report).toEqual({ jobs: 4 * hours.length, kept: 4 * hours.length, missing: 0, forgotten: 0, wronglyCharged: 0 })
})
