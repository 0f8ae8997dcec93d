import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Caller } from './caller.ts'
import type { Identities } from './identities.ts'
import { guestOf } from './sessions.ts'
import type { Database } from '../database/open.ts'
import { identities } from '../database/schema.ts'

/** A person at WeChat, the id as an HMAC. */
export interface WechatProfile {
  readonly wechatIndex: string
  readonly nickname: string
  readonly headimgurl: string
}

/**
 * Whose WeChat it is. The first time it becomes that of this browser's guest, whose work then is the person's; a member's it never
 * becomes by itself: another may sit at the member's computer.
 */
export async function identityOfWechat(
  tx: Database,
  caller: Caller,
  { wechatIndex, nickname, headimgurl }: WechatProfile,
  makers: Identities,
  now: number,
): Promise<string> {
  // Two first sign-ins of one person at a time would make two identities.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${wechatIndex}, 0))`)
  const shown = { ...(nickname && { username: nickname }), avatar: headimgurl }
  const [known] = await tx.update(identities).set(shown).where(eq(identities.wechatIndex, wechatIndex)).returning({ id: identities.id })
  if (known) return known.id
  const guest = await guestOf(tx, caller)
  const [linked] = guest === null ? [] : await link(tx, guest, { ...shown, wechatIndex })
  if (linked) return linked.id
  const id = await makers.createGuest(tx, now)
  await link(tx, id, { ...shown, wechatIndex })
  return id
}

const link = (tx: Database, guest: string, person: { username?: string; avatar: string; wechatIndex: string }) =>
  tx
    .update(identities)
    .set(person)
    .where(and(eq(identities.id, guest), isNull(identities.wechatIndex), isNull(identities.memberSince)))
    .returning({ id: identities.id })
