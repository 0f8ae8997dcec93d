import { and, count, eq, inArray, lt, min, sql } from 'drizzle-orm'
import type { Database } from '../database/open.ts'
import { conversions } from '../database/schema-operators.ts'
import { orders, refunds } from '../database/schema-billing.ts'
import { jobs } from '../database/schema.ts'
import type { Lane } from '../jobs/queue.ts'
import { LANES } from '../jobs/turns.ts'
import { DAY_MS } from '#shared/china-time'

/** An order whose code ran out so long ago should have been closed or paid: its provider does not answer. */
const UNSETTLED_MS = 10 * 60_000

/** How many jobs of a class are in a state, and since when the oldest of them is there. */
export interface QueueFigure {
  readonly lane: Lane
  readonly state: 'queued' | 'running'
  readonly count: number
  readonly oldestSeconds: number
}

/** The jobs that wait and those that run, by class; also where there are none. */
export async function queueFigures(db: Database, now: number): Promise<readonly QueueFigure[]> {
  const rows = await db
    .select({ lane: jobs.lane, state: jobs.state, count: count(), oldest: min(jobs.createdAt) })
    .from(jobs)
    .where(inArray(jobs.state, ['queued', 'running']))
    .groupBy(jobs.lane, jobs.state)
  return LANES.flatMap((lane) =>
    (['queued', 'running'] as const).map((state) => {
      const found = rows.find((row) => row.lane === lane && row.state === state)
      return { lane, state, count: found?.count ?? 0, oldestSeconds: ageOf(found?.oldest ?? undefined, now) }
    }),
  )
}

const ageOf = (since: Date | undefined, now: number): number => (since ? Math.max(0, (now - since.getTime()) / 1000) : 0)

/** What of orders, refunds and conversions is not yet what it is to become. */
export async function moneyStanding(db: Database, now: number) {
  const isUnsettled = and(eq(orders.state, 'new'), lt(orders.expiresAt, new Date(now - UNSETTLED_MS)))
  const [unsettled] = await db.select({ count: count() }).from(orders).where(isUnsettled)
  const [pending] = await db
    .select({ count: count(), oldest: min(refunds.createdAt) })
    .from(refunds)
    .where(eq(refunds.state, 'wanted'))
  const told = await db.select({ state: conversions.state, count: count() }).from(conversions).groupBy(conversions.state)
  const differences = await db.execute<{ count: number }>(
    sql`select coalesce(sum(jsonb_array_length(differences)), 0)::int as count from reconciliations
      where checked_at > ${new Date(now - 7 * DAY_MS).toISOString()}::timestamptz`,
  )
  return {
    unsettled: unsettled?.count ?? 0,
    refunds: pending?.count ?? 0,
    oldestRefundSeconds: ageOf(pending?.oldest ?? undefined, now),
    conversions: new Map<string, number>(told.map(({ state, count: number }) => [state, number])),
    differences: differences.rows[0]?.count ?? 0,
  }
}
