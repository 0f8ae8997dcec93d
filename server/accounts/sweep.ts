import { and, eq, isNull, lte, notExists, or, type SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { forgetAttempts } from './attempts.ts'
import type { Database } from '../database/open.ts'
import { devices, identities, jobs, onceTickets, sessions, slots, swaps, tickets } from '../database/schema.ts'
import { grants, invoices, ledger, orders } from '../database/schema-billing.ts'
import { DAY_MS } from '#shared/china-time'
import { SWAPS } from '#shared/membership'

const HOUR_MS = 3_600_000

/** Removes what is over of accounts: sessions and their places, used-up tickets, computers nobody is on, guests who left nothing behind. */
export async function sweepAccounts(db: Database, now: number): Promise<void> {
  const yesterday = new Date(now - DAY_MS)
  const none = (table: PgTable, where: SQL | undefined) => notExists(db.select().from(table).where(where))
  await db.delete(sessions).where(lte(sessions.expiresAt, new Date(now)))
  await db.delete(onceTickets).where(lte(onceTickets.expiresAt, new Date(now)))
  await forgetAttempts(db, now)
  await db.delete(swaps).where(lte(swaps.at, new Date(now - SWAPS.days * DAY_MS)))
  const isHere = and(eq(sessions.identityId, slots.identityId), eq(sessions.deviceId, slots.deviceId), isNull(sessions.end))
  // One seen just now may have a session that is only being made.
  await db.delete(slots).where(and(lte(slots.lastSeenAt, new Date(now - HOUR_MS)), none(sessions, isHere)))
  await db
    .delete(devices)
    .where(
      and(
        lte(devices.createdAt, yesterday),
        none(sessions, eq(sessions.deviceId, devices.id)),
        none(slots, eq(slots.deviceId, devices.id)),
      ),
    )
  await db.delete(identities).where(
    and(
      lte(identities.createdAt, yesterday),
      isNull(identities.memberSince),
      isNull(identities.wechatIndex),
      none(sessions, or(eq(sessions.identityId, identities.id), eq(sessions.guestId, identities.id))),
      // Whatever refers to identities; what is forgotten here, the database keeps from harm.
      ...[slots, swaps, jobs, tickets, ledger, orders, grants, invoices].map((table) => none(table, eq(table.identityId, identities.id))),
    ),
  )
}
