import { expect, it } from 'vitest'
import { crashRounds } from '../fixtures/crash-rounds.ts'
import { photo } from '../fixtures/pictures.ts'

it('50 kills at random moments under 40 jobs and uploads lose nothing and repeat nothing', { timeout: 3_600_000 }, async () => {
  const rounds = Number(process.env['CRASH_ROUNDS'] ?? 50)
  const seed = Number(process.env['CRASH_SEED'] ?? 11)
  const picture = await photo(1600, 1200).jpeg({ quality: 95 }).toBuffer()
  const report = await crashRounds({ rounds, jobs: 40, seed, picture })
  console.log(report)
  expect(report).toMatchObject({ accepted: 40, done: 40, lost: 0, wrong: 0, unsettled: 0, orphans: 0 })
})
