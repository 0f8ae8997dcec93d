import { z } from 'zod/mini'
import { defineCall } from './call.ts'

/** An account id or order number as people type it; surrounding blanks are theirs, and so is leaving it empty. */
const typed = z.string().check(z.trim(), z.maxLength(30))
/** The computer that signs in: what it calls itself, and which one is to be signed out for it when two are signed in already. */
const computer = { deviceName: z.optional(z.string().check(z.maxLength(60))), release: z.optional(z.string().check(z.maxLength(40))) }
const profile = z.object({ openid: z.string(), username: z.string(), avatar: z.string() })

/** Gives a visitor without a session a guest identity, and one with a session its own again. */
export const tourist = defineCall({
  method: 'GET',
  path: '/user/tourist',
  body: z.undefined(),
  reply: z.object({ userid: z.string(), username: z.string() }),
})

/** Signs a member in by the account id. Fails with `account.required`, `account.unknown`, `device.limit`, `device.swaps`. */
export const login = defineCall({ method: 'POST', path: '/user/login', body: z.object({ openid: typed, ...computer }), reply: profile })

/** Signs a member in by the number of a paid order, the merchant's or the provider's. Fails with `order.not-found` and as `login`. */
export const loginByOrder = defineCall({
  method: 'POST',
  path: '/user/openid',
  body: z.object({ orderid: typed, ...computer }),
  reply: profile,
})

/** Signs out; the browser is the guest again that it was. */
export const logout = defineCall({ method: 'POST', path: '/user/logout', body: z.unknown(), reply: z.object({}) })

/** Confirms a sign-in at WeChat by its ticket, which works once. Fails with `wxlogin.failed` and as `login`. */
export const confirmWxlogin = defineCall({
  method: 'POST',
  path: '/user/wxlogin/confirm',
  body: z.object({ ticket: z.string().check(z.minLength(1), z.maxLength(100)), ...computer }),
  reply: z.object({ openid: z.string(), nickname: z.string(), headimgurl: z.string() }),
})

/** What the caller has left. `openid` must be the caller's own. `free` is what is left today for nothing. */
export const quota = defineCall({
  method: 'POST',
  path: '/user/cvtnum',
  body: z.object({ openid: z.string().check(z.maxLength(100)) }),
  reply: z.object({
    cvtnumRelRemain: z.number(),
    cvtnumNoAiRemain: z.number(),
    isForever: z.boolean(),
    isMember: z.boolean(),
    /** As a member or by WeChat: there is something to sign out of. */
    isSignedIn: z.boolean(),
    free: z.object({ image: z.number(), ai: z.number(), document: z.number() }),
  }),
})

/** Temporary credentials of the object storage, for uploads under `prefix`; names as the storage client takes them. */
export const storageCredentials = defineCall({
  method: 'POST',
  path: '/sts',
  body: z.unknown(),
  reply: z.object({
    AccessKeyId: z.string(),
    AccessKeySecret: z.string(),
    SecurityToken: z.string(),
    Expiration: z.string(),
    region: z.string(),
    bucket: z.string(),
    endpoint: z.string(),
    sldEnable: z.boolean(),
    prefix: z.string(),
  }),
})
