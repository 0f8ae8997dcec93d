import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { QuotaPlace, type Network } from '../fixtures/client-quota.ts'
import { creditsOf, DesktopClient, makeMember } from '../fixtures/desktop-client.ts'
import { sharedServer } from '../fixtures/shared-server.ts'
import { ownFolder } from '../server/database/support.ts'
import { ledger } from '#server/database/schema-billing'
import { AppError } from '#shared/errors/app-error'

const CREDITS = 14
const shared = sharedServer()

type Step =
  | { readonly do: 'reserve'; readonly count: number }
  | { readonly do: 'end'; readonly which: number; readonly how: 'committed' | 'released' }
  | { readonly do: 'kill' | 'renew' }
  | { readonly do: 'network'; readonly calls: readonly Network[] }

const network = fc.constantFrom<Network>('up', 'down', 'deaf')
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('reserve' as const), count: fc.integer({ min: 1, max: 4 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      which: fc.nat(50),
      how: fc.constantFrom('committed' as const, 'committed' as const, 'released' as const),
    }),
  },
  fc.record({ do: fc.constantFrom('kill' as const, 'renew' as const) }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('network' as const), calls: fc.array(network, { minLength: 1, maxLength: 4 }) }) },
)

interface World {
  readonly place: QuotaPlace
  readonly jobs: Map<string, 'open' | 'committed' | 'released'>
}

async function take({ place, jobs }: World, one: Step): Promise<void> {
  switch (one.do) {
    case 'reserve': {
      const paid = await place.reserve(one.count).catch((error: unknown) => {
        if (error instanceof AppError && ['offline.over', 'offline.guest'].includes(error.code)) return []
        throw error
      })
      for (const id of paid) jobs.set(id, 'open')
      return
    }
    case 'end': {
      const id = [...jobs.keys()][one.which % Math.max(1, jobs.size)]
      if (id === undefined) return
      const state = jobs.get(id)
      const how = state === 'open' || state === undefined ? one.how : state
      jobs.set(id, how)
      // An ended one is told again, as after a crash between telling and noting that it is told.
      return place.quota.settle(id, how)
    }
    case 'kill':
      await place.start()
      return
    case 'renew':
      return place.quota.renew()
    case 'network': {
      let at = 0
      place.network = () => one.calls[at++ % one.calls.length] ?? 'up'
    }
  }
}

it('whatever calls and answers are lost and whenever the client is killed, what was done is charged once, and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 40 }), async (steps) => {
      const client = await DesktopClient.enter(shared().url)
      const identityId = await makeMember(shared(), client, { credits: CREDITS })
      const place = new QuotaPlace(client, await ownFolder())
      await place.start()
      const world: World = { place, jobs: new Map() }
      for (const one of steps) {
        await take(world, one)
        // While nobody is told, a client believes in no more than there is.
        expect(place.quota.offline()?.left ?? 0).toBeLessThanOrEqual(CREDITS)
      }
      place.network = 'up'
      for (const [id, state] of world.jobs) {
        if (state === 'open') world.jobs.set(id, 'released')
        await place.quota.settle(id, state === 'open' ? 'released' : state)
      }
      await place.start()
      await place.quota.close()
      const lines = await shared().connection.db.select().from(ledger).where(eq(ledger.identityId, identityId))
      const charged = [...world.jobs].flatMap(([id, state]) => (state === 'committed' ? [id] : []))
      expect(
        lines
          .filter(({ state }) => state === 'committed')
          .map(({ jobId }) => jobId)
          .toSorted(),
      ).toEqual(charged.toSorted())
      expect(lines.filter(({ state }) => state === 'reserved')).toEqual([])
      expect(await creditsOf(shared(), identityId)).toBe(CREDITS - charged.length)
      expect(place.quota.offline()?.left ?? 0).toBe(Math.max(0, CREDITS - charged.length))
    }),
    { numRuns: 20, seed: 7, endOnFailure: true },
  )
})
