import { and, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { repeat } from '../repeat.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/open.ts'
import { conversions } from '../database/schema-operators.ts'
import { DAY_MS } from '#shared/china-time'

const LOOK_EVERY_MS = 1_000
const AT_A_TIME = 10
const PATIENCE_MS = 10_000
const FIRST_PAUSE_MS = 30_000
/** Pauses double: the last try is four hours after the first. */
const TRIES = 10
/** What nobody could be told of while there was no host is no news when there is one. */
const FRESH_MS = DAY_MS
/** As long as a session, so that a click is told once in it. */
const REMEMBERED_MS = 180 * DAY_MS

type Conversion = typeof conversions.$inferSelect

interface Sending {
  readonly db: Database
  readonly hosts: Config['conversionUrls']
  readonly log: Logger
  readonly now: () => number
}

/** Where each kind is told; what has no host is told nowhere. */
const hostsOf = ({ hosts }: Sending): ReadonlyMap<Conversion['kind'], string> =>
  new Map([
    ...(hosts.ocpc360 === undefined ? [] : [['360-download', hosts.ocpc360] as const]),
    ...(hosts.purchase === undefined ? [] : [['purchase', hosts.purchase] as const]),
  ])

/** Tells the advertisers' hosts of what is due, once a second; the returned function ends it. What fails is tried again later, and then given up. */
export function startSending(sending: Sending): () => Promise<void> {
  if (hostsOf(sending).size === 0) return async () => {}
  return repeat(LOOK_EVERY_MS, sendDue, sending)
}

/** Some of what is due, taken so that no other server takes it: its next try is put off before this one is made. */
async function takeDue(sending: Sending): Promise<readonly Conversion[]> {
  const { db, now } = sending
  const due = db
    .select({ id: conversions.id })
    .from(conversions)
    .where(
      and(
        eq(conversions.state, 'wanted'),
        inArray(conversions.kind, [...hostsOf(sending).keys()]),
        lte(conversions.nextTryAt, new Date(now())),
        gt(conversions.createdAt, new Date(now() - FRESH_MS)),
      ),
    )
    .orderBy(conversions.nextTryAt)
    .limit(AT_A_TIME)
    .for('update', { skipLocked: true })
  const pauseMs = sql`${FIRST_PAUSE_MS}::float8 * power(2, ${conversions.tries})`
  return db
    .update(conversions)
    .set({
      tries: sql`${conversions.tries} + 1`,
      nextTryAt: sql`${new Date(now()).toISOString()}::timestamptz + ${pauseMs} * interval '1 millisecond'`,
    })
    .where(inArray(conversions.id, due))
    .returning()
}

async function sendDue(sending: Sending): Promise<void> {
  await Promise.all((await takeDue(sending)).map((one) => send(sending, one)))
}

async function send(sending: Sending, one: Conversion): Promise<void> {
  const isHeard = await tell(sending, one).catch((error: unknown) => {
    sending.log.warn({ err: error, kind: one.kind }, 'a conversion was not heard')
    return false
  })
  if (!isHeard && one.tries < TRIES) return
  const state = isHeard ? 'sent' : 'given-up'
  await sending.db.update(conversions).set({ state, nextTryAt: null }).where(eq(conversions.id, one.id))
}

async function tell(sending: Sending, one: Conversion): Promise<boolean> {
  const host = hostsOf(sending).get(one.kind)
  if (host === undefined) return false
  const response = await fetch(host, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...one.payload, time: Math.floor(one.createdAt.getTime() / 1000) }),
    redirect: 'manual',
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  await response.body?.cancel()
  return response.ok
}

/** Forgets what was long ago. */
export async function forgetConversions(db: Database, now: number): Promise<void> {
  await db.delete(conversions).where(lte(conversions.createdAt, new Date(now - REMEMBERED_MS)))
}
