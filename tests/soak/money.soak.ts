import { expect, it } from 'vitest'
import { paymentKills } from '../fixtures/payment-kills.ts'

it('20 kills between payment and credit lose nothing and count nothing twice', { timeout: 3_600_000 }, async () => {
  const rounds = Number(process.env['MONEY_ROUNDS'] ?? 20)
  const report = await paymentKills({ rounds, seed: Number(process.env['MONEY_SEED'] ?? 5) })
  console.log(report)
  expect(report).toMatchObject({ paid: rounds, lost: 0, grants: rounds, credits: rounds * 1000 })
  expect(report.open).toBeGreaterThanOrEqual(Math.floor(rounds / 2))
})
