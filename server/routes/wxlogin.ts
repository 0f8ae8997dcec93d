import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod/mini'
import { agreePage } from './sandbox-wechat-page.ts'
import { serve } from './route.ts'
import { delayOnce, issueOnce, takeOnce } from '../accounts/once-tickets.ts'
import { SandboxWechatLogin } from '../accounts/sandbox-wechat-login.ts'
import { requireCaller, type SessionCookies } from '../accounts/session.ts'
import { signIn } from '../accounts/sessions.ts'
import { identityOfWechat } from '../accounts/wechat-identity.ts'
import type { WechatLogin } from '../accounts/wechat-login.ts'
import { isNamedDirectly } from '../hosts.ts'
import { sign } from '../secrets.ts'
import type { Services } from '../services.ts'
import { confirmWxlogin } from '#shared/api/user'
import { AppError } from '#shared/errors/app-error'

const STATE_LASTS_MS = 10 * 60_000
const TICKET_LASTS_MS = 60_000
/** For choosing which computer to sign out. */
const CHOICE_LASTS_MS = 5 * 60_000
const RETURN = '/api/user/wxlogin/return'
/** The page's own route; without a ticket it says that nothing came of it. */
const CALLBACK = '/callback/wxlogin'

/** Of whose session a sign-in is: a link made for another's does nothing here. */
const begun = z.object({ tokenHash: z.string() })
const agreed = z.object({ tokenHash: z.string(), wechatIndex: z.string(), nickname: z.string(), headimgurl: z.string() })
const answer = z.object({ code: z.string().check(z.maxLength(1000)), state: z.string().check(z.maxLength(200)) })
const shown = z.object({ state: z.string().check(z.maxLength(200)) })
const pressed = z.extend(shown, { name: z.string().check(z.trim(), z.minLength(1), z.maxLength(40)) })

/** Signing in by WeChat: to its page, back with a code, on to ours with a ticket that the page then confirms. */
export function addWxloginRoutes(app: FastifyInstance, services: Services, cookies: SessionCookies): void {
  const { rates, wechatLogin } = services
  if (!wechatLogin) return
  addRedirects(app, services, wechatLogin)
  if (wechatLogin instanceof SandboxWechatLogin) addSandbox(app, wechatLogin, rates.change)
  addConfirmation(app, services, cookies)
}

const limited = ([max, seconds]: readonly [number, number]) => ({
  config: { rateLimit: { max, timeWindow: seconds * 1000 } },
  schema: { hide: true },
})

function addRedirects(app: FastifyInstance, { config, connection, now, rates, secrets }: Services, wechat: WechatLogin): void {
  const { db } = connection

  app.get('/api/user/wxlogin/start', limited(rates.change), async (request, reply) => {
    const { tokenHash } = requireCaller(request)
    const state = await issueOnce(db, 'wxlogin-state', { tokenHash }, now() + STATE_LASTS_MS)
    return reply.redirect(wechat.agreeUrl(state, ownAddress(request, config.publicUrl) + RETURN))
  })

  /** The person who came back, and the ticket to confirm it; undefined for whatever is wrong, of which the person can only start over. */
  const returned = async (request: FastifyRequest): Promise<URLSearchParams | undefined> => {
    const { caller, query } = request
    const given = answer.safeParse(query)
    if (!caller || !given.success) return undefined
    const from = await takeOnce(db, 'wxlogin-state', begun, given.data.state, now())
    if (from?.tokenHash !== caller.tokenHash) return undefined
    const { openid, nickname, headimgurl } = await wechat.personOf(given.data.code)
    const wechatIndex = sign(secrets.key('wechat-index'), openid)
    const data = { tokenHash: caller.tokenHash, wechatIndex, nickname, headimgurl }
    const ticket = await issueOnce(db, 'wxlogin', data, now() + TICKET_LASTS_MS)
    return new URLSearchParams({ openid, nickname, headimgurl, ticket })
  }

  app.get(RETURN, limited(rates.change), async (request, reply) => {
    const query = await returned(request).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'wxlogin.failed') return undefined
      throw error
    })
    return reply.header('referrer-policy', 'no-referrer').redirect(query ? `${CALLBACK}?${query}` : CALLBACK)
  })
}

/** This site as the browser knows it. */
function ownAddress({ protocol, headers: { host } }: FastifyRequest, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl
  // Whoever names another host would have the code sent there.
  if (!isNamedDirectly(host)) throw new AppError('wxlogin.failed', {})
  return `${protocol}://${host}`
}

function addSandbox(app: FastifyInstance, wechat: SandboxWechatLogin, rate: readonly [number, number]): void {
  const { config } = limited(rate)

  app.get('/api/user/wxlogin/sandbox', { config, schema: { querystring: shown, hide: true } }, async (request, reply) => {
    const { deviceId } = requireCaller(request)
    const { state } = request.query as z.output<typeof shown> // checked by this route's schema
    return reply.type('text/html; charset=utf-8').send(agreePage(wechat.ownName(deviceId), state))
  })

  app.get('/api/user/wxlogin/sandbox/agree', { config, schema: { querystring: pressed, hide: true } }, async (request, reply) => {
    requireCaller(request)
    const { name, state } = request.query as z.output<typeof pressed> // checked by this route's schema
    return reply.redirect(`${RETURN}?${new URLSearchParams({ code: wechat.codeFor(name), state })}`)
  })
}

function addConfirmation(app: FastifyInstance, { connection, identities, now, rates }: Services, cookies: SessionCookies): void {
  const { db } = connection

  serve(app, confirmWxlogin, {
    rate: rates.change,
    handle: async (request, { ticket, deviceName, release }, reply) => {
      const caller = requireCaller(request)
      const opened = await db
        .transaction(async (tx) => {
          const person = await takeOnce(tx, 'wxlogin', agreed, ticket, now())
          if (person?.tokenHash !== caller.tokenHash) throw new AppError('wxlogin.failed', {})
          const identityId = await identityOfWechat(tx, caller, person, identities, now())
          return signIn(tx, caller, { identityId, deviceName, release }, now())
        })
        .catch(async (error: unknown) => {
          // Nothing of it was done, the ticket is as it was: the person chooses a computer and sends it again.
          if (error instanceof AppError && error.code === 'device.limit') await delayOnce(db, ticket, now() + CHOICE_LASTS_MS)
          throw error
        })
      cookies.begin(reply, opened)
      const { userid, username, avatar } = await identities.profile(db, opened.caller.identityId)
      return { openid: userid, nickname: username, headimgurl: avatar }
    },
  })
}
