import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from './caller.ts'
import { cleanText } from './clean-text.ts'
import { deviceToken, newDeviceId, readDeviceToken } from './device-token.ts'
import type { Identities } from './identities.ts'
import { beGuest, findSession, forgetSession, type Computer, type Opened, type SignedOut } from './sessions.ts'
import { LONGEST_NAME } from './slots.ts'
import type { Database } from '../database/open.ts'
import { isNamedDirectly } from '../hosts.ts'
import { isSame, sign, type Secrets } from '../secrets.ts'
import { DEVICE_HEADER, DEVICE_NAME_HEADER } from '#shared/api/client'
import { deviceName } from '#shared/device-name'
import { AppError } from '#shared/errors/app-error'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of a route whose callers have no session and prove by each call itself who they are: by a signature, or by its secret address. */
    hasOwnProof?: true
  }
  interface FastifyRequest {
    /** Set where the session cookie is a known one, and comes with the token of its computer. */
    caller: Caller | undefined
    /** Set where it was such a one until its computer was signed out from another. */
    signedOut: SignedOut | undefined
  }
}

const DEVICE_COOKIE = 'device'
const XSRF_COOKIE = 'XSRF-TOKEN'
const YEAR_S = 365 * 86_400

const textOf = (header: string | readonly string[] | undefined): string => (typeof header === 'string' ? header : '')

/** A computer by what a program on it says of itself: a client says that it is one, and what the computer is called. */
function computerAs(deviceId: string, headers: FastifyRequest['headers']): Computer {
  if (headers[DEVICE_HEADER] === undefined) return { deviceId, kind: 'web', deviceName: deviceName(headers['user-agent'] ?? '') }
  return { deviceId, kind: 'desktop', deviceName: cleanText(decoded(textOf(headers[DEVICE_NAME_HEADER])), LONGEST_NAME) || undefined }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

/** How sessions travel. */
export interface SessionSettings {
  readonly db: Database
  readonly identities: Identities
  readonly secrets: Secrets
  readonly isHttps: boolean
  /** Origins whose pages may post, beside the one a request came to. */
  readonly publicOrigin: string | undefined
  readonly now: () => number
}

/** Cookies of a session: the token (HttpOnly), the device (HttpOnly) and the XSRF token (which the page reads). */
export class SessionCookies {
  readonly #settings: SessionSettings

  constructor(settings: SessionSettings) {
    this.#settings = settings
  }

  get #name(): string {
    return this.#settings.isHttps ? '__Host-sid' : 'sid'
  }

  /** Finds the caller of every request, and refuses what changes something unless the session's own page sent it. */
  install(app: FastifyInstance): void {
    app.decorateRequest('caller', undefined)
    app.decorateRequest('signedOut', undefined)
    app.addHook('onRequest', async (request) => {
      // The page itself is anybody's, and comes even while the database is away. The route's pattern: an address can be written in many ways.
      if (!/^\/(?:api|f)\//.test(request.routeOptions.url ?? '')) return
      const token = request.cookies[this.#name]
      const computer = this.#computerOf(request)
      if (!token || !computer) return
      Object.assign(request, await findSession(this.#settings.db, token, computer, this.#settings.now()))
    })
    app.addHook('preValidation', async (request) => {
      if (request.method === 'GET' || request.method === 'HEAD' || request.is404 || request.routeOptions.config.hasOwnProof) return
      if (!this.#isSameOrigin(request)) throw new AppError('request.refused', {})
      const caller = requireCaller(request)
      const given = request.headers['x-xsrf-token']
      const expected = this.#xsrfToken(caller)
      if (typeof given !== 'string' || !isSame(given, expected)) {
        throw new AppError('request.refused', {})
      }
    })
  }

  /** The caller, made a guest where there is none, and the guest it was where it was signed out; their cookies are set. */
  async enter(request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
    const { db, identities, now } = this.#settings
    if (request.caller) {
      void reply.setCookie(XSRF_COOKIE, this.#xsrfToken(request.caller), this.#common)
      return request.caller
    }
    const computer = this.#computerOf(request) ?? computerAs(newDeviceId(), request.headers)
    const { signedOut } = request
    const opened = await db.transaction(async (tx) => {
      // It has been told now.
      if (signedOut) await forgetSession(tx, signedOut.tokenHash)
      return beGuest(tx, computer, signedOut?.guestId ?? null, () => identities.createGuest(tx, now()), now())
    })
    this.begin(reply, opened)
    return opened.caller
  }

  /** Sets the cookies of a session just begun. */
  begin(reply: FastifyReply, { caller, token }: Opened): void {
    reply.log.info({ by: caller.identityId }, 'session begun')
    void reply
      .setCookie(this.#name, token, { ...this.#common, httpOnly: true })
      .setCookie(XSRF_COOKIE, this.#xsrfToken(caller), this.#common)
    this.nameComputer(reply, caller.deviceId)
  }

  /** Tells a program which computer it is on. */
  nameComputer(reply: FastifyReply, deviceId: string): void {
    const token = deviceToken(this.#settings.secrets.key('device'), deviceId)
    void reply.setCookie(DEVICE_COOKIE, token, { ...this.#common, httpOnly: true, maxAge: 2 * YEAR_S })
  }

  get #common() {
    return { path: '/', sameSite: 'lax', secure: this.#settings.isHttps, maxAge: YEAR_S / 2 } as const
  }

  #computerOf({ headers, cookies }: FastifyRequest): Computer | undefined {
    const key = this.#settings.secrets.key('device')
    // A client that has its token from this minute may still ask without it.
    const deviceId = readDeviceToken(key, textOf(headers[DEVICE_HEADER])) ?? readDeviceToken(key, cookies[DEVICE_COOKIE])
    return deviceId === undefined ? undefined : computerAs(deviceId, headers)
  }

  #xsrfToken({ tokenHash }: Caller): string {
    return sign(this.#settings.secrets.key('xsrf'), tokenHash)
  }

  /** A browser names the page's origin on every POST; clients that are no browser name none. */
  #isSameOrigin({ headers: { origin, host } }: FastifyRequest): boolean {
    if (origin === undefined) return true
    if (origin === this.#settings.publicOrigin) return true
    return isNamedDirectly(host) && URL.canParse(origin) && new URL(origin).host === host
  }
}

/** The caller of a route that needs one. Throws `session.expired`, and `device.signed-out` where that is why there is none. */
export function requireCaller({ caller, signedOut }: FastifyRequest): Caller {
  if (signedOut) throw new AppError('device.signed-out', {})
  if (!caller) throw new AppError('session.expired', {})
  return caller
}
