import { expect, it } from 'vitest'
import { databaseFaults } from '../fixtures/database-faults.ts'
import { photo } from '../fixtures/pictures.ts'
import { rounds } from '../fixtures/rounds.ts'

it(
  'kills of API, worker, children and database under load lose nothing and charge nothing twice',
  { timeout: 7_200_000 },
  async ({ skip }) => {
    const seed = Number(process.env['FAULT_SEED'] ?? 23)
    const picture = await photo(1600, 1200).jpeg({ quality: 95 }).toBuffer()
    const report = await databaseFaults({ rounds: rounds(100), seed, picture })
    if (!report) return skip('这台机器上没有可用的 PostgreSQL')
    console.log(report)
    expect(report).toMatchObject({ done: report.accepted, lost: 0, wrong: 0, unsettled: 0, creditsMissing: 0, internalErrors: 0 })
    expect(report).toMatchObject({ granted: report.paid, orphanFiles: 0, orphanProcesses: 0 })
  },
)
