import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import type { Payer } from './payer.ts'
import type { Database } from '../database/open.ts'
import { allowances } from '../database/schema-billing.ts'
import { dayOf, daysBefore } from '#shared/china-time'
import { GUESTS_AN_ADDRESS, type Allowance, type Counted } from '#shared/membership'

/** Whose allowance is used, and of which day. */
export interface Share {
  readonly holders: readonly string[]
  readonly day: string
  readonly cost: Counted
}

/** A guest's use counts for the computer and for the address: a browser without cookies is a new computer, at the same address. */
const holdersOf = ({ deviceId, address }: Payer): readonly { readonly holder: string; readonly times: number }[] => [
  { holder: `address ${address}`, times: GUESTS_AN_ADDRESS },
  { holder: `device ${deviceId}`, times: 1 },
]

const isOf = ({ holders, day, cost }: Share) =>
  and(inArray(allowances.holder, [...holders]), eq(allowances.day, day), eq(allowances.cost, cost))

/** What a guest may still use of a day's allowance, held until the transaction ends. */
export async function holdAllowance(
  tx: Database,
  payer: Payer,
  cost: Counted,
  { allowance, now }: { allowance: Allowance; now: number },
): Promise<Share & { readonly left: number }> {
  const given = holdersOf(payer)
  const share: Share = { holders: given.map(({ holder }) => holder), day: dayOf(now), cost }
  const rows = await tx
    .insert(allowances)
    .values(given.map(({ holder }) => ({ holder, day: share.day, cost, used: 0 })))
    .onConflictDoUpdate({ target: [allowances.holder, allowances.day, allowances.cost], set: { used: allowances.used } })
    .returning()
  return { ...share, left: leastLeft(given, rows, allowance[cost]) }
}

/** The counts of a share, nobody else's until the transaction ends; in one order everywhere, that of `holdersOf`, so that no two wait for each other. */
const heldRows = (tx: Database, share: Share) => tx.select().from(allowances).where(isOf(share)).orderBy(allowances.holder).for('update')

function leastLeft(
  given: ReturnType<typeof holdersOf>,
  rows: readonly { readonly holder: string; readonly used: number }[],
  limit: number,
): number {
  const used = new Map(rows.map((row) => [row.holder, row.used]))
  return Math.max(0, Math.min(...given.map(({ holder, times }) => limit * times - (used.get(holder) ?? 0))))
}

/** Counts so many more as used. */
export const useAllowance = async (tx: Database, share: Share, units: number): Promise<void> => {
  await tx
    .update(allowances)
    .set({ used: sql`${allowances.used} + ${units}` })
    .where(isOf(share))
}

/** Counts so many less as used, of the day on which they were; a day that is forgotten already stays so. */
export async function returnAllowance(tx: Database, share: Share, units: number): Promise<void> {
  await heldRows(tx, share)
  await useAllowance(tx, share, -units)
}

/** What a guest has left of today's allowance. */
export async function allowanceLeft(db: Database, payer: Payer, allowance: Allowance, now: number): Promise<Allowance> {
  const given = holdersOf(payer)
  const holders = given.map(({ holder }) => holder)
  const rows = await db
    .select()
    .from(allowances)
    .where(and(inArray(allowances.holder, holders), eq(allowances.day, dayOf(now))))
  const left = (cost: Counted): number =>
    leastLeft(
      given,
      rows.filter((row) => row.cost === cost),
      allowance[cost],
    )
  return { image: left('image'), ai: left('ai'), document: left('document') }
}

/** Forgets days on which nothing more is counted. A job may still end that was accepted yesterday. */
export async function forgetAllowances(db: Database, now: number): Promise<void> {
  await db.delete(allowances).where(lt(allowances.day, daysBefore(dayOf(now), 1)))
}
