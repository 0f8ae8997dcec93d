import { and, eq, inArray, lt, ne, sql, type SQL } from 'drizzle-orm'
import { allowanceLeft, holdAllowance, returnAllowance, useAllowance, type Share } from './allowance.ts'
import type { Payer } from './payer.ts'
import type { Database } from '../database/open.ts'
import { ledger } from '../database/schema-billing.ts'
import { identities } from '../database/schema.ts'
import { DAY_MS } from '#shared/china-time'
import type { Allowance, Counted } from '#shared/membership'
import type { Cost } from '#shared/tools/define'

/** What guests may do for nothing, and when it is. */
export interface Terms {
  readonly allowance: Allowance
  readonly now: number
}

/** A job to be paid for; each of its inputs is a unit. */
export interface Charge {
  readonly jobId: string
  readonly units: number
}

type Line = typeof ledger.$inferInsert

/** What pays: how much of it there is, how its lines in the ledger are marked, and how it is used. */
interface Purse {
  readonly left: number
  readonly line: Pick<Line, 'source' | 'holders' | 'day'>
  readonly take: (units: number) => Promise<unknown>
}

const endless = (source: 'free' | 'forever'): Purse => ({ left: Infinity, line: { source }, take: async () => {} })

/** The purse of a payer, nobody else's until the transaction ends. */
async function purseOf(tx: Database, payer: Payer, cost: Cost, terms: Terms): Promise<Purse> {
  if (cost === 'free') return endless('free')
  const isPayer = eq(identities.id, payer.identityId)
  const [identity] = await tx.select().from(identities).where(isPayer).for('no key update')
  if (identity?.isForever) return endless('forever')
  if (!identity?.memberSince) {
    const { left, ...share } = await holdAllowance(tx, payer, cost, terms)
    const { holders, day } = share
    return { left, line: { source: 'allowance', holders, day }, take: (units) => useAllowance(tx, share, units) }
  }
  const take = (units: number): Promise<unknown> =>
    tx
      .update(identities)
      .set({ credits: sql`${identities.credits} - ${units}` })
      .where(isPayer)
  return { left: identity.credits, line: { source: 'credits' }, take }
}

/**
 * Sets the cost of jobs aside, in the transaction that accepts them: of the first ones, as far as there is something to pay with.
 * Gives the ids of the jobs that are paid for. Where they run says who will settle them: a worker here, or the payer's own client.
 */
export async function reserve(
  tx: Database,
  payer: Payer,
  cost: Cost,
  charges: readonly Charge[],
  terms: Terms,
  runsAt: 'cloud' | 'client' = 'cloud',
): Promise<ReadonlySet<string>> {
  if (charges.length === 0) return new Set()
  const purse = await purseOf(tx, payer, cost, terms)
  const paid: Charge[] = []
  let { left } = purse
  for (const charge of charges) {
    if (charge.units > left) break
    left -= charge.units
    paid.push(charge)
  }
  if (paid.length === 0) return new Set()
  await purse.take(paid.reduce((sum, { units }) => sum + units, 0))
  const { identityId, deviceId } = payer
  const reserved = { state: 'reserved' as const, reservedAt: new Date(terms.now), ...(runsAt === 'client' && { deviceId }) }
  const common = { identityId, cost, ...reserved, ...purse.line }
  await tx.insert(ledger).values(paid.map((charge) => ({ ...charge, ...common })))
  return new Set(paid.map(({ jobId }) => jobId))
}

/** Settles those of some lines that are reserved; what is settled already stays as it is. What is released goes back to where it came from. */
export async function settleLines(tx: Database, which: SQL | undefined, state: 'committed' | 'released', now: number): Promise<void> {
  const lines = await tx
    .update(ledger)
    .set({ state, settledAt: new Date(now) })
    .where(and(which, eq(ledger.state, 'reserved')))
    .returning()
  if (state === 'released') for (const line of lines) await giveBack(tx, line)
}

async function giveBack(tx: Database, { source, day, holders, cost, units, identityId }: typeof ledger.$inferSelect): Promise<void> {
  if (source === 'allowance' && day !== null) {
    const share: Share = { holders, day, cost: cost as Counted } // what is free has no allowance
    await returnAllowance(tx, share, units)
  }
  if (source === 'credits') {
    await tx
      .update(identities)
      .set({ credits: sql`${identities.credits} + ${units}` })
      .where(eq(identities.id, identityId))
  }
}

/** Takes a job's cost, in the transaction that ends it well. */
export const commit = (tx: Database, jobId: string, now: number): Promise<void> =>
  settleLines(tx, eq(ledger.jobId, jobId), 'committed', now)

/** Gives a job's cost back to where it came from, in the transaction that ends it otherwise. */
export const release = (tx: Database, jobId: string, now: number): Promise<void> =>
  settleLines(tx, eq(ledger.jobId, jobId), 'released', now)

const FORGOTTEN_DAYS = 90
/** At a time: whoever sweeps comes again. */
const FORGOTTEN_LINES = 10_000

/** Forgets lines settled long ago that moved nothing anybody has bought; what credits paid for stays as long as what they were bought with. */
export async function forgetLines(db: Database, now: number): Promise<void> {
  const due = db
    .select({ jobId: ledger.jobId })
    .from(ledger)
    .where(and(ne(ledger.source, 'credits'), lt(ledger.settledAt, new Date(now - FORGOTTEN_DAYS * DAY_MS))))
    .orderBy(ledger.settledAt)
    .limit(FORGOTTEN_LINES)
  await db.delete(ledger).where(inArray(ledger.jobId, due))
}

/** What somebody may still do today for nothing: the allowance of guests, which members don't need. */
export async function remaining(db: Database, payer: Payer, { allowance, now }: Terms): Promise<Allowance> {
  const [identity] = await db.select({ memberSince: identities.memberSince }).from(identities).where(eq(identities.id, payer.identityId))
  if (identity?.memberSince) return { image: 0, ai: 0, document: 0 }
  return allowanceLeft(db, payer, allowance, now)
}
