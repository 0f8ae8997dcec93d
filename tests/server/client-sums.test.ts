import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { balancesAlways, creditsOf, sumsOf, unitsOf, type World as Books } from '../fixtures/books.ts'
import { anyUpload, bodyOf } from '../fixtures/members.ts'
import { guest } from '../fixtures/server-queue.ts'
import { chargeOffline, reserveAtClient, settleAtClient, takeUnsettled, type Client } from '#server/billing/local-jobs'
import { identities, jobs } from '#server/database/schema'
import { cancelJob } from '#server/jobs/manage'
import { finishJob, takeJob } from '#server/jobs/queue'
import { submitJobs } from '#server/jobs/submit'
import { LANES } from '#server/jobs/turns'
import type { PassClaims } from '#shared/api/local-jobs'
import { AppError } from '#shared/errors/app-error'

const allowance = { image: 6, ai: 3, document: 0 }
const CREDITS = 8
const HOUR_MS = 3_600_000
const WHO = ['member', 'guest'] as const
type Who = (typeof WHO)[number]

/** What a client says is said of some of the ids it has made up, known to the server or not; each may be said again, and against what was said before. */
type Step =
  | {
      readonly do: 'reserve' | 'settle' | 'report'
      readonly who: Who
      readonly ids: readonly number[]
      readonly isAi: boolean
      readonly isDone: boolean
    }
  | { readonly do: 'submit'; readonly who: Who; readonly count: number }
  | { readonly do: 'end'; readonly isCharged: boolean }
  | { readonly do: 'cancel'; readonly which: number }
  | { readonly do: 'buy' | 'refund' | 'forever' }
  | { readonly do: 'wait'; readonly hours: number }

const who = fc.constantFrom(...WHO)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('reserve' as const, 'reserve' as const, 'settle' as const, 'settle' as const, 'report' as const),
      who,
      ids: fc.uniqueArray(fc.nat(40), { minLength: 1, maxLength: 5 }),
      isAi: fc.boolean(),
      isDone: fc.boolean(),
    }),
  },
  fc.record({ do: fc.constant('submit' as const), who, count: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ do: fc.constant('end' as const), isCharged: fc.boolean() }),
  fc.record({ do: fc.constant('cancel' as const), which: fc.nat(20) }),
  fc.record({ do: fc.constantFrom('buy' as const, 'refund' as const, 'forever' as const) }),
  fc.record({ do: fc.constant('wait' as const), hours: fc.constantFrom(1, 9, 24, 400) }),
)

interface World extends Books {
  /** What clients were told of their jobs, and whose they are. */
  readonly known: Map<string, { readonly who: Who; state: 'reserved' | 'committed' | 'released'; readonly at: number }>
}

const clientOf = (one: Who): Client => ({ payer: guest(one), owners: [one] })
const idOf = (n: number): string => `client-job-${String(n).padStart(15, '0')}`
const pass: PassClaims = { identity: 'member', device: 'device of member', serial: 's', issued: 0, until: 0, credits: null }

async function reserve(world: World, one: Who, names: readonly string[], isAi: boolean): Promise<void> {
  const { db, known, now } = world
  const charges = names.map((jobId) => ({ jobId, units: 1 }))
  const paid = await db.transaction((tx) => reserveAtClient(tx, clientOf(one), isAi ? 'ai' : 'image', charges, { allowance, now }))
  const fresh = names.filter((id) => !known.has(id))
  for (const id of names) {
    const line = known.get(id)
    // Known ones are paid for unless they were given back, or are somebody else's.
    if (line) expect([id, paid.has(id)]).toEqual([id, line.who === one && line.state !== 'released'])
    else if (paid.has(id)) known.set(id, { who: one, state: 'reserved', at: now })
  }
  const isPaid = fresh.map((id) => paid.has(id))
  expect(isPaid).toEqual(isPaid.toSorted((left, right) => Number(right) - Number(left)))
}

async function settle({ db, known, now }: World, one: Who, names: readonly string[], isDone: boolean): Promise<void> {
  const [committed, released] = isDone ? [names, []] : [[], names]
  await db.transaction((tx) => settleAtClient(tx, clientOf(one), { committed, released }, now))
  for (const id of names) {
    const line = known.get(id)
    if (line?.who === one && line.state === 'reserved') line.state = isDone ? 'committed' : 'released'
    if (!line && !isDone) known.set(id, { who: one, state: 'released', at: now })
  }
}

async function report({ db, known, now }: World, names: readonly string[]): Promise<void> {
  await db.transaction((tx) =>
    chargeOffline(
      tx,
      pass,
      names.map((id) => ({ id, units: 1, cost: 'image' })),
      now,
    ),
  )
  for (const id of names) {
    const line = known.get(id)
    if (line?.who === 'member' && line.state === 'reserved') line.state = 'committed'
    if (!line) known.set(id, { who: 'member', state: 'committed', at: now })
  }
}

async function take(world: World, one: Step): Promise<void> {
  const { db, known, now } = world
  const change = (set: Partial<typeof identities.$inferInsert>) => db.update(identities).set(set).where(eq(identities.id, 'member'))
  switch (one.do) {
    case 'reserve':
      return reserve(world, one.who, one.ids.map(idOf), one.isAi)
    case 'settle':
      return settle(world, one.who, one.ids.map(idOf), one.isDone)
    case 'report':
      return report(world, one.ids.map(idOf))
    case 'submit': {
      const call = { payer: guest(one.who), requestKey: `call-${world.calls++}`, body: bodyOf(one.who, one.count) }
      const rules = anyUpload(() => now, allowance)
      const refused = await submitJobs(db, rules, call).catch((error: unknown) => error)
      if (refused instanceof AppError) expect(refused.code).toBe('quota.used-up')
      return
    }
    case 'end': {
      const job = await takeJob(db, LANES)
      if (job) await finishJob(db, job.lease, { state: 'done', outputs: [], note: undefined, isCharged: one.isCharged }, now)
      return
    }
    case 'cancel': {
      const rows = await db.select().from(jobs).orderBy(jobs.position)
      const row = rows[one.which % Math.max(1, rows.length)]
      if (row) await cancelJob(db, [row.identityId], row.id, now)
      return
    }
    case 'buy':
      world.granted += 3
      await change({ credits: (await creditsOf(db)) + 3, memberSince: new Date(now) })
      return
    case 'refund':
      await change({ memberSince: null, isForever: false })
      return
    case 'forever':
      await change({ isForever: true, memberSince: new Date(now) })
      return
    case 'wait':
      world.now += one.hours * HOUR_MS
      await takeUnsettled(db, world.now)
      for (const line of known.values()) if (line.state === 'reserved' && line.at < world.now - 720 * HOUR_MS) line.state = 'committed'
  }
}

/** What is left, set aside and owed, as the tables say and as the ledger's lines and the clients' own notes add up. */
async function books(world: World) {
  const { lines, ofCredits, active, found, due } = await sumsOf(world)
  const clients = lines.filter(({ deviceId }) => deviceId !== null)
  const debt = unitsOf(ofCredits.filter(({ passSerial }) => passSerial !== null))
  return {
    found: {
      ...found,
      cloud: lines.flatMap(({ jobId, state, deviceId }) => (state === 'reserved' && deviceId === null ? jobId : [])).toSorted(),
      clients: clients.map(({ jobId, identityId, state }) => `${jobId} ${identityId} ${state}`).toSorted(),
      // Nothing is set aside beyond what there is: below zero is only what was done offline.
      isOwed: found.credits >= -debt,
    },
    due: {
      ...due,
      cloud: active,
      clients: [...world.known].map(([id, line]) => `${id} ${line.who} ${line.state}`).toSorted(),
      isOwed: true,
    },
  }
}

it('whatever clients say, in whatever order and however often, each job counts once', async () => {
  const lengths = { minLength: 15, maxLength: 50 }
  const open = (world: Books): World => ({ ...world, known: new Map() })
  expect(await balancesAlways({ step, lengths, credits: CREDITS, open, take, books })).toBeGreaterThan(lengths.minLength)
})
