import fc from 'fast-check'
import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { balancesAlways, creditsOf, sumsOf, type World } from '../fixtures/books.ts'
import { anyUpload, bodyOf } from '../fixtures/members.ts'
import { guest } from '../fixtures/server-queue.ts'
import { identities, jobs } from '#server/database/schema'
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

/** What is left and set aside, as the tables say and as the ledger's lines add up. */
async function books(world: World) {
  const { lines, allowances, active, found, due } = await sumsOf(world)
  const leftOf = ({ cost, used }: (typeof allowances)[number]): number => (cost === 'ai' ? allowance.ai : allowance.image) - used
  const ofDevices = allowances.filter(({ holder }) => holder.startsWith('device')).map(leftOf)
  return {
    found: {
      ...found,
      reserved: lines.flatMap(({ jobId, state }) => (state === 'reserved' ? jobId : [])).toSorted(),
      overdrawn: [found.credits, ...ofDevices].filter((left) => left < 0),
    },
    due: { ...due, reserved: active, overdrawn: [] },
  }
}

it('whatever happens to jobs, what is left and what was taken is what was granted', async () => {
  const lengths = { minLength: 20, maxLength: 60 }
  const taken = await balancesAlways({ step, lengths, credits: CREDITS, open: (world) => world, take, books })
  expect(taken).toBeGreaterThan(lengths.minLength)
})
