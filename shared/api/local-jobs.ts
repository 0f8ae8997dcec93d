import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { MAX_TOGETHER } from './jobs.ts'

/** Jobs one of these calls names, at most. */
export const MAX_LOCAL_JOBS = 500

/** A client's own name for what it asks to be paid for: made of so many random characters that no other has the same. Each is used for one job once. */
const chargeId = z.string().check(z.regex(/^[\w-]{20,64}$/))
const charge = { id: chargeId, units: z.int().check(z.gte(1), z.lte(MAX_TOGETHER)) }
const ids = z.array(chargeId).check(z.maxLength(MAX_LOCAL_JOBS))

/** What an offline pass says: whom it is for, on which computer, until when (milliseconds since 1970) and for how many pictures; null for any number. */
export const passClaims = z.object({
  identity: z.string(),
  device: z.string(),
  serial: z.string(),
  issued: z.number(),
  until: z.number(),
  credits: z.nullable(z.number()),
})

/** What an offline pass says. */
export type PassClaims = z.infer<typeof passClaims>

/** For how long a member's client may work without a network, from when it last spoke to the server. */
export const OFFLINE_DAYS = 7
/** What a client has set aside and not settled for so many days counts as done: its results lie where nobody else can look. */
export const UNSETTLED_DAYS = 30

const pass = z.string().check(z.maxLength(2000))
/** A member's pass as things stand after the call, `claims.signature` in base64url; none for guests. */
const current = { pass: z.optional(pass) }

/**
 * Sets the cost of jobs aside that a client runs on its own computer: of the first ones as far as there is something to pay with; the ids
 * of those that are paid for. Asked again it sets nothing aside twice. A settled id is used up. Fails with `request.refused` for whoever
 * is no client, `tool.unavailable`, `options.*`, and `job.busy` where too much is set aside already.
 */
export const reserveLocal = defineCall({
  method: 'POST',
  path: '/local-jobs/reserve',
  body: z.object({
    tool: z.string(),
    options: z.unknown(),
    jobs: z.array(z.object(charge)).check(z.minLength(1), z.maxLength(MAX_LOCAL_JOBS)),
  }),
  reply: z.object({ paid: ids, ...current }),
})

/**
 * Tells how jobs ended: their cost is taken or given back, once however often it is told. A released id that is not known yet is used
 * up by this, should the call that sets it aside still be on its way. Those of others are as good as unknown.
 */
export const settleLocal = defineCall({
  method: 'POST',
  path: '/local-jobs/settle',
  body: z.object({ committed: ids, released: ids }),
  reply: z.object(current),
})

/**
 * Tells what was done under a pass, each use counted once however often it is told, to whom the pass was for, whoever asks on that computer:
 * also after it ran out or its member was signed out or paid back. Credits may fall below zero. Fails with `request.invalid` for a pass
 * that is not of this server or of another computer.
 */
export const reportOffline = defineCall({
  method: 'POST',
  path: '/local-jobs/report',
  body: z.object({
    pass,
    uses: z.array(z.object({ ...charge, cost: z.enum(['image', 'ai', 'document']) })).check(z.maxLength(MAX_LOCAL_JOBS)),
  }),
  reply: z.object(current),
})

/** The caller's offline pass. */
export const readPass = defineCall({ method: 'GET', path: '/local-jobs/pass', body: z.undefined(), reply: z.object(current) })

/** By which clients know this server's passes: the 32 bytes of an Ed25519 key (RFC 8032) in base64url. Anybody may ask. */
export const readPassKey = defineCall({
  method: 'GET',
  path: '/local-jobs/pass-key',
  body: z.undefined(),
  reply: z.object({ key: z.string() }),
})
