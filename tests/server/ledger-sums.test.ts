import fc from 'fast-check'
import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { anyUpload, bodyOf, person } from '../fixtures/members.ts'
import { testPlace } from '../fixtures/places.ts'
import { guest } from '../fixtures/server-queue.ts'
import type { Database } from '#server/database/open'
import { identities, jobs } from '#server/database/schema'
import { allowances, ledger } from '#server/database/schema-billing'
import { cancelJob, expireJob } from '#server/jobs/manage'
import { finishJob, giveBack, recoverJobs, takeJob } from '#server/jobs/queue'
import { submitJobs } from '#server/jobs/submit'
import { LANES } from '#server/jobs/turns'
import { AppError } from '#shared/errors/app-error'

const allowance = { image: 5, ai: 3, document: 0 }
const CREDITS = 6
const HOUR_MS = 3_600_000

type Step =
  | { readonly do: 'submit'; readonly who: 'member' | 'guest'; readonly count: number; readonly tool: 'compress-image' | 'cut-out' }
  | { readonly do: 'end'; readonly how: 'charged' | 'free' | 'failed' | 'crash' | 'kill' }
  | { readonly do: 'cancel' | 'expire'; readonly which: number }
  | { readonly do: 'recover' | 'buy' }
  | { readonly do: 'wait'; readonly hours: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('submit' as const),
    who: fc.constantFrom('member' as const, 'guest' as const),
    count: fc.integer({ min: 1, max: 4 }),
    tool: fc.constantFrom('compress-image' as const, 'cut-out' as const),
  }),
  fc.record({
    do: fc.constant('end' as const),
    how: fc.constantFrom('charged' as const, 'free' as const, 'failed' as const, 'crash' as const, 'kill' as const),
  }),
  fc.record({ do: fc.constantFrom('cancel' as const, 'expire' as const), which: fc.nat(30) }),
  fc.record({ do: fc.constantFrom('recover' as const, 'buy' as const) }),
  fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 15 }) }),
)

interface World {
  readonly db: Database
  now: number
  granted: number
  calls: number
}

/** Ends the next job in turn in a way. */
async function end({ db, now }: World, how: Extract<Step, { do: 'end' }>['how']): Promise<void> {
  const job = await takeJob(db, LANES)
  if (!job) return
  if (how === 'crash' || how === 'kill') return giveBack(db, job.lease, how, now)
  const matte = { key: `r/${job.id}/1`, name: 'a.png', format: 'png', bytes: 1, part: 'matte' as const, subject: 'general' as const }
  const outputs = job.tool === 'cut-out' ? [matte] : []
  const done = { state: 'done', outputs, note: undefined, isCharged: how === 'charged' } as const
  await finishJob(db, job.lease, how === 'failed' ? { state: 'failed', error: { code: 'job.failed', data: {} } } : done, now)
}

async function take(world: World, one: Step): Promise<void> {
  const { db, now } = world
  switch (one.do) {
    case 'submit': {
      const call = { payer: guest(one.who), requestKey: `call-${world.calls++}`, body: bodyOf(one.who, one.count, one.tool) }
      const refused = await submitJobs(
        db,
        anyUpload(() => now, allowance),
        call,
      ).catch((error: unknown) => error)
      if (refused instanceof AppError) expect(refused.code).toBe('quota.used-up')
      return
    }
    case 'end':
      return end(world, one.how)
    case 'cancel':
    case 'expire': {
      const rows = await db.select().from(jobs).orderBy(jobs.position)
      const row = rows[one.which % Math.max(1, rows.length)]
      if (!row) return
      await (one.do === 'cancel' ? cancelJob : expireJob)(db, [row.identityId], row.id, now)
      return
    }
    case 'recover':
      await takeJob(db, LANES)
      return recoverJobs(db, 'all', now)
    case 'buy':
      world.granted += 2
      await db
        .update(identities)
        .set({ credits: (await creditsOf(db)) + 2 })
        .where(eq(identities.id, 'member'))
      return
    case 'wait':
      world.now += one.hours * HOUR_MS
  }
}

const creditsOf = async (db: Database): Promise<number> =>
  (await db.select().from(identities).where(eq(identities.id, 'member')))[0]?.credits ?? Number.NaN

/** What is left and set aside, as the tables say and as the ledger's lines add up. */
async function books({ db, granted }: World) {
  const lines = await db.select().from(ledger)
  const active = (await db.select().from(jobs)).filter(({ state }) => state === 'queued' || state === 'running')
  const held = lines.filter(({ state }) => state !== 'released')
  const sum = (some: typeof lines): number => some.reduce((all, { units }) => all + units, 0)
  const used = await db.select().from(allowances)
  const usedBy = ({ holder, day, cost }: (typeof used)[number]): number =>
    sum(held.filter((line) => line.source === 'allowance' && line.day === day && line.cost === cost && line.holders.includes(holder)))
  const leftOf = ({ cost, used: units }: (typeof used)[number]): number => (cost === 'ai' ? allowance.ai : allowance.image) - units
  const credits = await creditsOf(db)
  return {
    found: {
      reserved: lines
        .filter(({ state }) => state === 'reserved')
        .map(({ jobId }) => jobId)
        .toSorted(),
      credits,
      used: used.map((row) => row.used),
      overdrawn: [credits, ...used.filter(({ holder }) => holder.startsWith('device')).map(leftOf)].filter((left) => left < 0),
    },
    due: {
      reserved: active.map(({ id }) => id).toSorted(),
      credits: granted - sum(held.filter(({ source }) => source === 'credits')),
      used: used.map(usedBy),
      overdrawn: [],
    },
  }
}

it('whatever happens to jobs, what is left and what was taken is what was granted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
      await using place = await testPlace()
      const [{ db }] = place.servers
      const world: World = { db, now: Date.parse('2026-07-29T20:00:00+08:00'), granted: CREDITS, calls: 0 }
      await person(db, 'member', { credits: CREDITS })
      await person(db, 'guest', undefined)
      for (const one of steps) {
        await take(world, one)
        const { found, due } = await books(world)
        expect(found).toEqual(due)
      }
    }),
    { numRuns: 8, seed: 7 },
  )
})
