import { and, count, desc, eq, gt, inArray, isNull, lt } from 'drizzle-orm'
import { cleanText } from './clean-text.ts'
import { announceAccount } from './news.ts'
import type { Database } from '../database/open.ts'
import { identities, sessions, slots, swaps } from '../database/schema.ts'
import type { DeviceView } from '#shared/api/devices'
import { DAY_MS } from '#shared/china-time'
import { AppError } from '#shared/errors/app-error'
import { COMPUTERS, IDLE_DAYS, SWAPS } from '#shared/membership'

/** How exactly it is known when a computer was last seen: not every request is worth a write. */
const SEEN_EVERY_MS = 5 * 60_000
/** Characters of a computer's name. */
export const LONGEST_NAME = 60

type Slot = typeof slots.$inferSelect

/** A member's computer. */
type Computer = Pick<Slot, 'identityId' | 'deviceId'>

/** What is kept of one computer of a member. */
const isAt = (table: typeof slots | typeof sessions, { identityId, deviceId }: Computer) =>
  and(eq(table.identityId, identityId), eq(table.deviceId, deviceId))

/** What a computer is seen by: the website, or the client. */
export type ComputerKind = Slot['kind']

/** A computer that asks to be one of a member's. */
export interface SlotClaim {
  readonly identityId: string
  readonly deviceId: string
  /** What the computer calls itself. */
  readonly name: string | undefined
  readonly kind: ComputerKind
  /** The computer to be signed out for it, where there are two others. */
  readonly release?: string | undefined
  readonly now: number
}

/**
 * Makes a computer one of a member's, or keeps it so. Where two others are signed in, the ones long idle go first, then the one named.
 * Throws `device.limit` with the others when none may go, `device.swaps` when too many went lately.
 */
export async function takeSlot(tx: Database, claim: SlotClaim): Promise<void> {
  const { identityId, deviceId, kind, now } = claim
  await lockIdentities(tx, identityId)
  const taken = await tx.select().from(slots).where(eq(slots.identityId, identityId)).orderBy(desc(slots.lastSeenAt)).for('update')
  const others = taken.filter((slot) => slot.deviceId !== deviceId)
  await makeRoom(tx, others, claim)
  const lastSeenAt = new Date(now)
  const seen = { name: cleanText(claim.name ?? '', LONGEST_NAME), kind, lastSeenAt }
  // A computer with the client on it is the client's, whatever browser comes besides.
  const isClients = kind === 'web' && taken.some((slot) => slot.deviceId === deviceId && slot.kind === 'desktop')
  await tx
    .insert(slots)
    .values({ ...seen, identityId, deviceId, takenAt: lastSeenAt })
    .onConflictDoUpdate({ target: [slots.identityId, slots.deviceId], set: isClients ? { lastSeenAt } : seen })
}

/**
 * One at a time decides about the computers of identities, before anything of theirs is read or changed; who only refers to them need
 * not wait. Both of two at once, in one order everywhere: else two such wait for each other.
 */
export async function lockIdentities(tx: Database, ...ids: readonly string[]): Promise<void> {
  const all = tx
    .select({ id: identities.id })
    .from(identities)
    .where(inArray(identities.id, [...ids]))
  await all.orderBy(identities.id).for('no key update')
}

const isIdle = ({ lastSeenAt }: Slot, now: number): boolean => lastSeenAt.getTime() < now - IDLE_DAYS * DAY_MS

async function makeRoom(tx: Database, others: readonly Slot[], { identityId, release, now }: SlotClaim): Promise<void> {
  if (others.length < COMPUTERS) return
  const idle = others.findLast((slot) => isIdle(slot, now))
  if (idle) return endSlot(tx, idle)
  const leaving = others.find(({ deviceId }) => deviceId === release)
  if (!leaving) throw new AppError('device.limit', { devices: others.map((slot) => viewOf(slot, undefined)) })
  await countSwap(tx, identityId, now)
  await endSlot(tx, leaving)
}

async function countSwap(tx: Database, identityId: string, now: number): Promise<void> {
  const since = new Date(now - SWAPS.days * DAY_MS)
  const [recent] = await tx
    .select({ count: count() })
    .from(swaps)
    .where(and(eq(swaps.identityId, identityId), gt(swaps.at, since)))
  if (recent && recent.count >= SWAPS.most) throw new AppError('device.swaps', {})
  await tx.insert(swaps).values({ identityId, at: new Date(now) })
}

/** Signs a computer out; its sessions are kept to tell it so. */
async function endSlot(tx: Database, computer: Computer): Promise<void> {
  await tx.delete(slots).where(isAt(slots, computer))
  await tx
    .update(sessions)
    .set({ end: 'signed-out' })
    .where(and(isAt(sessions, computer), isNull(sessions.end)))
  await announceAccount(tx, computer.identityId)
}

/** Signs one of a member's computers out for the asking. Throws `device.swaps`; one that is not signed in is signed out already. */
export async function releaseSlot(tx: Database, computer: Computer, now: number): Promise<void> {
  await lockIdentities(tx, computer.identityId)
  const [slot] = await tx.select().from(slots).where(isAt(slots, computer)).for('update')
  if (!slot) return
  await countSwap(tx, computer.identityId, now)
  await endSlot(tx, slot)
}

/**
 * Gives the computers on which somebody is signed in who just became a member their places, the one that paid first. For which there is
 * none, is signed out.
 */
export async function seatComputers(tx: Database, { identityId, deviceId }: Computer, now: number): Promise<void> {
  const isLive = and(eq(sessions.identityId, identityId), isNull(sessions.end), gt(sessions.expiresAt, new Date(now)))
  const live = await tx.select({ deviceId: sessions.deviceId }).from(sessions).where(isLive).orderBy(desc(sessions.createdAt))
  const here = [...new Set(live.map((session) => session.deviceId))]
  for (const one of here.toSorted((left, right) => Number(right === deviceId) - Number(left === deviceId))) {
    const computer = { identityId, deviceId: one }
    if (await findSlot(tx, computer)) continue
    try {
      await tx.transaction((inner) => takeSlot(inner, { ...computer, name: undefined, kind: 'web', now }))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      await endSlot(tx, computer)
    }
  }
}

/** Gives a computer's place up once no session of the member is left on it. */
export async function leaveSlot(tx: Database, computer: Computer): Promise<void> {
  const left = await tx
    .select({ tokenHash: sessions.tokenHash })
    .from(sessions)
    .where(and(isAt(sessions, computer), isNull(sessions.end)))
    .limit(1)
  if (left.length > 0) return
  await tx.delete(slots).where(isAt(slots, computer))
}

/** The place a computer has among a member's. */
export async function findSlot(tx: Database, computer: Computer): Promise<Slot | undefined> {
  const [slot] = await tx.select().from(slots).where(isAt(slots, computer))
  return slot
}

/** Notes that a computer is in use, unless that was noted just now. */
export async function seeSlot(db: Database, computer: Computer, now: number): Promise<void> {
  await db
    .update(slots)
    .set({ lastSeenAt: new Date(now) })
    .where(and(isAt(slots, computer), lt(slots.lastSeenAt, new Date(now - SEEN_EVERY_MS))))
}

/** A computer as a program on it presents it. */
interface Presented extends Computer {
  readonly kind: ComputerKind
  readonly deviceName: string | undefined
}

/** Whether a place says less of its computer than the program that calls: a payment takes it for one of which it knows nothing, a browser for itself. */
export const isLittleKnown = (slot: Pick<Slot, 'kind' | 'name'>, { kind, deviceName }: Presented): boolean =>
  (slot.kind === 'web' && kind === 'desktop') || (slot.name === '' && deviceName !== undefined)

/** Notes what a program says of its computer. */
export async function introduce(db: Database, computer: Presented): Promise<void> {
  const { kind, deviceName } = computer
  const isLess = kind === 'desktop' ? undefined : eq(slots.name, '')
  await db
    .update(slots)
    .set({ ...(kind === 'desktop' && { kind }), ...(deviceName !== undefined && { name: deviceName }) })
    .where(and(isAt(slots, computer), isLess))
}

/** Whether a computer's last sight is worth noting again. */
export const isSeenLongAgo = (lastSeenAt: Date, now: number): boolean => lastSeenAt.getTime() < now - SEEN_EVERY_MS

/** The computers a member is signed in on, the last seen first. */
export async function listSlots(db: Database, identityId: string, currentDeviceId: string, now: number): Promise<DeviceView[]> {
  const rows = await db.select().from(slots).where(eq(slots.identityId, identityId)).orderBy(desc(slots.lastSeenAt))
  return rows.filter((slot) => !isIdle(slot, now)).map((slot) => viewOf(slot, currentDeviceId))
}

const viewOf = ({ deviceId, name, kind, lastSeenAt }: Slot, currentDeviceId: string | undefined): DeviceView => ({
  deviceId,
  name: name || (kind === 'web' ? '网页' : '客户端'),
  kind,
  lastSeen: lastSeenAt.toISOString(),
  current: deviceId === currentDeviceId,
})
