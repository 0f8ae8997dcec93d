import { and, desc, eq, gt, inArray, isNull, ne, sql } from 'drizzle-orm'
import type { Caller } from './caller.ts'
import { announceAccount } from './news.ts'
import {
  findSlot,
  introduce,
  isLittleKnown,
  isSeenLongAgo,
  leaveSlot,
  lockIdentities,
  seeSlot,
  takeSlot,
  type ComputerKind,
} from './slots.ts'
import type { Database } from '../database/open.ts'
import { devices, identities, sessions, slots } from '../database/schema.ts'
import { hashOf, newToken } from '../secrets.ts'
import { DAY_MS } from '#shared/china-time'
import { AppError } from '#shared/errors/app-error'

const SESSION_DAYS = 180
/** Sessions of one member that count as one computer: the website's and the client's. */
const SESSIONS_A_COMPUTER = 2

/** A computer as a request shows it. */
export interface Computer {
  readonly deviceId: string
  readonly kind: ComputerKind
  readonly deviceName: string | undefined
}

/** A session just begun, with the token that is its cookie. */
export interface Opened {
  readonly caller: Caller
  readonly token: string
}

/** A session that was ended from another computer. */
export interface SignedOut {
  readonly tokenHash: string
  readonly guestId: string | null
}

/** The question of every call, written once for each database and read by it once a connection. */
const sessionQuery = (db: Database) =>
  db
    .select({
      identityId: sessions.identityId,
      guestId: sessions.guestId,
      end: sessions.end,
      slot: { name: slots.name, kind: slots.kind, lastSeenAt: slots.lastSeenAt },
    })
    .from(sessions)
    .leftJoin(slots, and(eq(slots.identityId, sessions.identityId), eq(slots.deviceId, sessions.deviceId)))
    .where(
      and(
        eq(sessions.tokenHash, sql.placeholder('tokenHash')),
        eq(sessions.deviceId, sql.placeholder('deviceId')),
        gt(sessions.expiresAt, sql.placeholder('now')),
      ),
    )
    .prepare('session_of_token')
const sessionQueries = new WeakMap<Database, ReturnType<typeof sessionQuery>>()

function querySession(db: Database): ReturnType<typeof sessionQuery> {
  const query = sessionQueries.get(db) ?? sessionQuery(db)
  sessionQueries.set(db, query)
  return query
}

/** The session of a token on its own computer; undefined when it is unknown, over, or another computer's. */
export async function findSession(
  db: Database,
  token: string,
  computer: Computer,
  now: number,
): Promise<{ readonly caller: Caller } | { readonly signedOut: SignedOut } | undefined> {
  const tokenHash = hashOf(token)
  const [row] = await querySession(db).execute({ tokenHash, deviceId: computer.deviceId, now: new Date(now).toISOString() })
  if (!row) return undefined
  const { identityId, guestId, end, slot } = row
  if (end !== null) return { signedOut: { tokenHash, guestId } }
  const caller = { ...computer, identityId, tokenHash, guestId }
  if (slot && isSeenLongAgo(slot.lastSeenAt, now)) await seeSlot(db, caller, now)
  if (slot && isLittleKnown(slot, caller)) await introduce(db, caller)
  return { caller }
}

/** Begins a session under a new token. */
async function openSession(
  tx: Database,
  computer: Computer,
  { identityId, guestId }: Pick<Caller, 'identityId' | 'guestId'>,
  now: number,
): Promise<Opened> {
  const token = newToken()
  const { deviceId } = computer
  const caller = { ...computer, identityId, tokenHash: hashOf(token), guestId }
  await knowDevice(tx, deviceId, now)
  await tx.insert(sessions).values({
    tokenHash: caller.tokenHash,
    identityId,
    deviceId,
    guestId,
    createdAt: new Date(now),
    expiresAt: new Date(now + SESSION_DAYS * DAY_MS),
  })
  return { caller, token }
}

async function knowDevice(tx: Database, id: string, now: number): Promise<void> {
  // Held by this, an old one is not swept away in between.
  const held = { target: devices.id, set: { id } }
  await tx
    .insert(devices)
    .values({ id, createdAt: new Date(now) })
    .onConflictDoUpdate(held)
}

/** Whom a caller signs in as, and on what. */
export interface SignIn {
  readonly identityId: string
  readonly deviceName: string | undefined
  readonly release: string | undefined
}

/**
 * Turns the caller's session into one of another identity, under a new token: a token planted before is worth nothing after. Throws
 * as `takeSlot`, and `session.expired` when the caller's session ended meanwhile.
 */
export async function signIn(tx: Database, caller: Caller, { identityId, deviceName, release }: SignIn, now: number): Promise<Opened> {
  const { deviceId, kind } = caller
  await lockIdentities(tx, identityId, caller.identityId)
  await takeSlot(tx, { identityId, deviceId, kind, name: deviceName ?? caller.deviceName, release, now })
  const guest = await guestOf(tx, caller)
  await closeSession(tx, caller)
  const opened = await openSession(tx, caller, { identityId, guestId: guest === identityId ? null : guest }, now)
  if (caller.identityId !== identityId) await leaveSlot(tx, caller)
  await limitSessions(tx, opened.caller)
  await announceAccount(tx, identityId)
  return opened
}

/** Ends the caller's session; the browser is then the guest it was. `newGuest` makes one where it was none. */
export async function signOut(tx: Database, caller: Caller, newGuest: () => Promise<string>, now: number): Promise<Opened> {
  const { identityId, guestId } = caller
  await lockIdentities(tx, identityId, guestId ?? identityId)
  await closeSession(tx, caller)
  await leaveSlot(tx, caller)
  return beGuest(tx, caller, guestId, newGuest, now)
}

/** Begins a session of the guest a browser was, or of a new one where that is a guest no more or never was. */
export async function beGuest(
  tx: Database,
  computer: Computer,
  guestId: string | null,
  newGuest: () => Promise<string>,
  now: number,
): Promise<Opened> {
  // Who pays in this moment is a guest no more, and his computers are counted.
  if (guestId !== null) await lockIdentities(tx, guestId)
  const identityId = (guestId !== null && (await asGuest(tx, guestId))) || (await newGuest())
  return openSession(tx, computer, { identityId, guestId: null }, now)
}

/** The guest a browser is or was. */
export const guestOf = (tx: Database, { identityId, guestId }: Pick<Caller, 'identityId' | 'guestId'>): Promise<string | null> =>
  asGuest(tx, guestId ?? identityId)

/** An identity if it is a guest's: nobody's who is a member or known by WeChat, and has to sign in. */
async function asGuest(tx: Database, id: string): Promise<string | null> {
  const [row] = await tx
    .select({ id: identities.id })
    .from(identities)
    .where(and(eq(identities.id, id), isNull(identities.memberSince), isNull(identities.wechatIndex)))
  return row?.id ?? null
}

export async function forgetSession(tx: Database, tokenHash: string): Promise<void> {
  await tx.delete(sessions).where(eq(sessions.tokenHash, tokenHash))
}

async function closeSession(tx: Database, { tokenHash, identityId }: Caller): Promise<void> {
  const closed = await tx
    .delete(sessions)
    .where(and(eq(sessions.tokenHash, tokenHash), isNull(sessions.end)))
    .returning({ tokenHash: sessions.tokenHash })
  if (closed.length === 0) throw new AppError('session.expired', {})
  await announceAccount(tx, identityId)
}

/** Signs out what else claims to be the same computer, so that a copied device token makes no crowd of one. */
async function limitSessions(tx: Database, { identityId, deviceId, tokenHash }: Caller): Promise<void> {
  const others = await tx
    .select({ tokenHash: sessions.tokenHash })
    .from(sessions)
    .where(
      and(eq(sessions.identityId, identityId), eq(sessions.deviceId, deviceId), isNull(sessions.end), ne(sessions.tokenHash, tokenHash)),
    )
    .orderBy(desc(sessions.createdAt))
  const surplus = others.slice(SESSIONS_A_COMPUTER - 1).map((session) => session.tokenHash)
  if (surplus.length > 0) await tx.update(sessions).set({ end: 'signed-out' }).where(inArray(sessions.tokenHash, surplus))
}

/**
 * Moves the caller's session to another computer, which it turned out to be on. Where the member is not signed in there, the place is
 * taken: throws as `takeSlot`.
 */
export async function joinComputer(tx: Database, caller: Caller, deviceId: string, now: number): Promise<void> {
  if (deviceId === caller.deviceId) return
  await lockIdentities(tx, caller.identityId)
  await knowDevice(tx, deviceId, now)
  const moved = await tx
    .update(sessions)
    .set({ deviceId })
    // From where it was: another call may have moved it meanwhile, and its place with it.
    .where(and(eq(sessions.tokenHash, caller.tokenHash), eq(sessions.deviceId, caller.deviceId), isNull(sessions.end)))
    .returning({ tokenHash: sessions.tokenHash })
  if (moved.length === 0) throw new AppError('session.expired', {})
  const slot = await findSlot(tx, caller)
  if (!slot) return
  await leaveSlot(tx, caller)
  const there = { ...caller, deviceId }
  if (!(await findSlot(tx, there))) await takeSlot(tx, { ...there, kind: slot.kind, name: slot.name, now })
  await limitSessions(tx, there)
  await announceAccount(tx, caller.identityId)
}
