import type { FastifyInstance, FastifyReply } from 'fastify'
import { serve } from './route.ts'
import { limitAddress } from '../accounts/attempts.ts'
import type { Caller } from '../accounts/caller.ts'
import { findPayer } from '../accounts/find-order.ts'
import { requireCaller, type SessionCookies } from '../accounts/session.ts'
import { guestOf, signIn, signOut, type SignIn } from '../accounts/sessions.ts'
import { remaining } from '../billing/ledger.ts'
import { payerOf } from '../billing/payer.ts'
import type { Services } from '../services.ts'
import * as calls from '#shared/api/user'
import { AppError } from '#shared/errors/app-error'
import { FOREVER_COUNT } from '#shared/membership'

/** Signing in by account id or order number. */
export function addLoginRoutes(app: FastifyInstance, services: Services, cookies: SessionCookies): void {
  const { connection, identities, metrics, now, rates } = services
  const { db } = connection

  const enterAs = async (caller: Caller, wish: SignIn, reply: FastifyReply) => {
    const opened = await db.transaction((tx) => signIn(tx, caller, wish, now()))
    cookies.begin(reply, opened)
    const { userid, username, avatar } = await identities.profile(db, wish.identityId)
    return { openid: userid, username, avatar }
  }

  serve(app, calls.login, {
    rate: rates.change,
    guards: [limitAddress(services, 'login', rates.login), limitAddress(services, 'login, day', rates.loginDay)],
    handle: async (request, { openid, deviceName, release }, reply) => {
      const caller = requireCaller(request)
      if (openid === '') throw new AppError('account.required', {})
      const identityId = await identities.findMember(db, openid)
      if (identityId === undefined) {
        metrics.loginsRefused.inc({ by: 'account' })
        throw new AppError('account.unknown', {})
      }
      return enterAs(caller, { identityId, deviceName, release }, reply)
    },
  })

  serve(app, calls.loginByOrder, {
    rate: rates.change,
    guards: [limitAddress(services, 'order', rates.orderLookup), limitAddress(services, 'order, day', rates.orderLookupDay)],
    handle: async (request, { orderid, deviceName, release }, reply) => {
      const caller = requireCaller(request)
      const identityId = await findPayer(db, orderid)
      if (identityId === undefined) {
        metrics.loginsRefused.inc({ by: 'order' })
        throw new AppError('order.not-found', {})
      }
      return enterAs(caller, { identityId, deviceName, release }, reply)
    },
  })
}

/** What an account has left, and signing out of it. */
export function addAccountRoutes(app: FastifyInstance, services: Services, cookies: SessionCookies): void {
  const { config, connection, identities, now, rates, secrets } = services
  const { db } = connection

  serve(app, calls.quota, {
    rate: rates.read,
    handle: async (request, { openid }) => {
      const caller = requireCaller(request)
      if (!(await identities.isOwn(db, caller.identityId, openid))) throw new AppError('request.refused', {})
      const { credits, isForever, memberSince, wechatIndex } = await identities.read(db, caller.identityId)
      return {
        // Below nothing are pictures used of a purchase that was paid back: the next one pays for them.
        cvtnumRelRemain: Math.max(0, credits),
        cvtnumNoAiRemain: isForever ? FOREVER_COUNT : 0,
        isForever,
        isMember: memberSince !== null,
        isSignedIn: memberSince !== null || wechatIndex !== null || caller.guestId !== null,
        free: await remaining(db, payerOf(caller, request.ip, secrets), { allowance: config.guestAllowance, now: now() }),
      }
    },
  })

  serve(app, calls.logout, {
    rate: rates.change,
    handle: async (request, _body, reply) => {
      const caller = requireCaller(request)
      // A guest has nothing to sign out of, and would lose what is his.
      if ((await guestOf(db, caller)) === caller.identityId) return {}
      const opened = await db.transaction((tx) => signOut(tx, caller, () => identities.createGuest(tx, now()), now()))
      cookies.begin(reply, opened)
      return {}
    },
  })
}
