import { expect, it } from 'vitest'
import { toSize } from '../fixtures/engine.ts'
import { photo } from '../fixtures/pictures.ts'
import { testServer, Visitor } from '../fixtures/server.ts'
import { shiftedClock } from '../fixtures/shifted-clock.ts'
import { ledger } from '#server/database/schema-billing'

// Object.assign(globalThis: this file has a process of its own.
const HOUR_MS = 3_600_000

it('jobs and their costs outlive a clock that jumps by an hour or a day; files outlive the hour', async () => {
  using clock = shiftedClock()
  await using server = await testServer()
  const visitor = await Visitor.enter(server.url)
  const bytes = await photo(1600, 1200).jpeg({ quality: 95 }).toBuffer()
  const who = await visitor.read<{ userid: string }>('/api/user/tourist')
  const ids: string[] = []
  for (const hours of [1, -1, 24, -24]) {
    const before = await visitor.start(
      [1, 2, 3].map((n) => ({ name: `${n}.jpg`, bytes })),
      toSize(50),
    )
    await visitor.ended(before[0] ?? '')
    // One is done, one at work, one waits; by the database's clock their leases are long over, or last for a day.
    clock.jump(hours * HOUR_MS)
    await server.sweep()
    expect(await visitor.read('/api/user/tourist')).toEqual(who)
    const [after = ''] = await visitor.start([{ name: 'after.jpg', bytes }], toSize(50))
    // What was done before a day went by is over by then, and charged all the same.
    const ends = hours === 24 ? ['done', 'expired'] : ['done']
    for (const id of before.slice(1)) expect(ends).toContain((await visitor.ended(id)).state)
    expect([hours, (await visitor.ended(after)).state]).toEqual([hours, 'done'])
    const first = await visitor.job(before[0] ?? '')
    expect([hours, first.state]).toEqual([hours, hours === 24 ? 'expired' : 'done'])
    if (first.state === 'done') expect((await visitor.download(first.outputs[0]?.url ?? '')).length).toBe(first.outputs[0]?.bytes)
    ids.push(...before, after)
  }
  const lines = await server.connection.db.select().from(ledger)
  expect(lines.map(({ jobId, state }) => `${jobId} ${state}`).toSorted()).toEqual(ids.map((id) => `${id} committed`).toSorted())
})
