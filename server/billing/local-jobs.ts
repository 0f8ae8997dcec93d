import { and, count, eq, inArray, isNotNull, lt, or, sql } from 'drizzle-orm'
import { reserve, settleLines, type Charge, type Terms } from './ledger.ts'
import type { Payer } from './payer.ts'
import type { Owners } from '../accounts/caller.ts'
import { announceAccount } from '../accounts/news.ts'
import { lockIdentities } from '../accounts/slots.ts'
import type { Database } from '../database/open.ts'
import { identities } from '../database/schema.ts'
import { ledger } from '../database/schema-billing.ts'
import { UNSETTLED_DAYS, type PassClaims } from '#shared/api/local-jobs'
import { DAY_MS } from '#shared/china-time'
import { AppError } from '#shared/errors/app-error'
import type { Counted } from '#shared/membership'
import type { Cost } from '#shared/tools/define'

/** What one identity's clients may have set aside at a time. */
const MOST_OPEN = 10_000

/** A client that asks: who is signed in, whom it was before, and on which computer. */
export interface Client {
  readonly payer: Payer
  readonly owners: Owners
}

/** What was done without a network. */
export interface OfflineUse {
  readonly id: string
  readonly units: number
  readonly cost: Counted
}

const isAtClient = and(eq(ledger.state, 'reserved'), isNotNull(ledger.deviceId))

/**
 * Lines of this computer, whoever was signed in, and of this person's, whichever computer it was: a client settles what it set aside before
 * somebody else signed in, and one that lost its token is a new computer with the same jobs.
 */
const isOwn = ({ payer, owners }: Client) =>
  or(eq(ledger.deviceId, payer.deviceId), and(isNotNull(ledger.deviceId), inArray(ledger.identityId, [...owners])))

/**
 * Sets the cost of a client's jobs aside, of the first ones as far as there is something to pay with. Gives the ids of those that are paid
 * for, by this call or an earlier one. Throws `job.busy`.
 */
export async function reserveAtClient(
  tx: Database,
  client: Client,
  cost: Cost,
  charges: readonly Charge[],
  terms: Terms,
): Promise<ReadonlySet<string>> {
  // Whoever settles waits for the same lock: a call and its repetition, or what takes it back, come one after the other.
  await lockIdentities(tx, ...client.owners)
  const lines = await tx
    .select({ jobId: ledger.jobId, state: ledger.state, isOwn: sql<boolean>`${isOwn(client)}` })
    .from(ledger)
    .where(inArray(ledger.jobId, idsOf(charges)))
  const known = new Set(lines.map(({ jobId }) => jobId))
  const fresh = charges.filter(({ jobId }) => !known.has(jobId))
  await refuseTooMany(tx, client.payer.identityId, fresh.length)
  const paid = await reserve(tx, client.payer, cost, fresh, terms, 'client')
  const before = lines.filter((line) => line.isOwn && line.state !== 'released').map(({ jobId }) => jobId)
  return new Set([...before, ...paid])
}

const idsOf = (charges: readonly Charge[]): string[] => charges.map(({ jobId }) => jobId)

async function refuseTooMany(tx: Database, identityId: string, coming: number): Promise<void> {
  const [open] = await tx
    .select({ count: count() })
    .from(ledger)
    .where(and(eq(ledger.identityId, identityId), isAtClient))
  if (open && open.count + coming > MOST_OPEN) throw new AppError('job.busy', {})
}

/** Settles what a client set aside; what is settled already, or another's, stays as it is. */
export async function settleAtClient(
  tx: Database,
  client: Client,
  { committed, released }: { committed: readonly string[]; released: readonly string[] },
  now: number,
): Promise<void> {
  const all = [...committed, ...released]
  if (all.length === 0) return
  const { payer, owners } = client
  const own = isOwn(client)
  const payers = await tx
    .selectDistinct({ id: ledger.identityId })
    .from(ledger)
    .where(and(inArray(ledger.jobId, all), own))
  await lockIdentities(tx, ...owners, ...payers.map(({ id }) => id))
  await settleLines(tx, and(inArray(ledger.jobId, [...committed]), own), 'committed', now)
  if (released.length === 0) return
  // Set aside by a call that is still on its way, it would never be settled: there is a line before it comes.
  const at = new Date(now)
  const line = {
    identityId: payer.identityId,
    deviceId: payer.deviceId,
    cost: 'free',
    units: 0,
    state: 'released',
    reservedAt: at,
    settledAt: at,
  } as const
  await tx
    .insert(ledger)
    .values(released.map((jobId) => ({ ...line, jobId })))
    .onConflictDoNothing()
  await settleLines(tx, and(inArray(ledger.jobId, [...released]), own), 'released', now)
}

/**
 * Charges what was done under a pass to whom it was for, each use once; of what was set aside before the answer was lost, that is taken.
 * Nobody is asked whether there is something left: it is done. Below zero is a debt that the next purchase pays first.
 */
export async function chargeOffline(
  tx: Database,
  { identity, device, serial }: PassClaims,
  uses: readonly OfflineUse[],
  now: number,
): Promise<void> {
  if (uses.length === 0) return
  await lockIdentities(tx, identity)
  const isNamed = inArray(
    ledger.jobId,
    uses.map(({ id }) => id),
  )
  await settleLines(tx, and(isNamed, eq(ledger.deviceId, device)), 'committed', now)
  const lines = await tx.select({ jobId: ledger.jobId }).from(ledger).where(isNamed)
  const known = new Set(lines.map(({ jobId }) => jobId))
  const fresh = uses.filter(({ id }) => !known.has(id))
  const [person] = await tx.select({ isForever: identities.isForever }).from(identities).where(eq(identities.id, identity))
  if (!person || fresh.length === 0) return
  const at = new Date(now)
  const source = person.isForever ? ('forever' as const) : ('credits' as const)
  const line = {
    identityId: identity,
    deviceId: device,
    passSerial: serial,
    source,
    state: 'committed',
    reservedAt: at,
    settledAt: at,
  } as const
  await tx.insert(ledger).values(fresh.map(({ id, units, cost }) => ({ ...line, jobId: id, units, cost })))
  if (source === 'forever') return
  const units = fresh.reduce((sum, use) => sum + use.units, 0)
  await tx
    .update(identities)
    .set({ credits: sql`${identities.credits} - ${units}` })
    .where(eq(identities.id, identity))
  await announceAccount(tx, identity)
}

/**
 * Counts as done what clients set aside long ago and never settled. One that was killed settles at its next start, so this one is gone, or
 * does not want to say; given back, every result would be free for whoever deletes his client's notes.
 */
export async function takeUnsettled(db: Database, now: number): Promise<void> {
  const isOld = lt(ledger.reservedAt, new Date(now - UNSETTLED_DAYS * DAY_MS))
  await db.transaction((tx) => settleLines(tx, and(isAtClient, isOld), 'committed', now))
}
