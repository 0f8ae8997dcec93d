import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller, Identities } from './identities.ts'
import { isNamedDirectly } from '../hosts.ts'
import { isSame, sign } from '../secrets.ts'
import { AppError } from '#shared/errors/app-error'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set where the session cookie is a known one. */
    caller: Caller | undefined
  }
}

const DEVICE_COOKIE = 'device'
const XSRF_COOKIE = 'XSRF-TOKEN'
const YEAR_S = 365 * 86_400

/** How sessions travel. */
export interface SessionSettings {
  readonly identities: Identities
  readonly xsrfKey: Buffer
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
    app.addHook('onRequest', async (request) => {
      // The page itself is anybody's, and comes even while the database is away.
      if (!/^\/(?:api|f)\//.test(request.url)) return
      const token = request.cookies[this.#name]
      if (token) request.caller = await this.#settings.identities.findCaller(token, this.#settings.now())
    })
    app.addHook('preValidation', async (request) => {
      if (request.method === 'GET' || request.method === 'HEAD' || request.is404) return
      if (!this.#isSameOrigin(request)) throw new AppError('request.refused', {})
      const caller = requireCaller(request)
      const given = request.headers['x-xsrf-token']
      const expected = this.#xsrfToken(caller)
      if (typeof given !== 'string' || !isSame(given, expected)) {
        throw new AppError('request.refused', {})
      }
    })
  }

  /** The caller, made a guest where there is none; their cookies are set. */
  async enter(request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
    const { identities, isHttps, now } = this.#settings
    const common = { path: '/', sameSite: 'lax', secure: isHttps, maxAge: YEAR_S / 2 } as const
    if (request.caller) {
      void reply.setCookie(XSRF_COOKIE, this.#xsrfToken(request.caller), common)
      return request.caller
    }
    const { caller, token, deviceToken } = await identities.createGuest(request.cookies[DEVICE_COOKIE], now())
    void reply
      .setCookie(this.#name, token, { ...common, httpOnly: true })
      .setCookie(DEVICE_COOKIE, deviceToken, { ...common, httpOnly: true, maxAge: 2 * YEAR_S })
      .setCookie(XSRF_COOKIE, this.#xsrfToken(caller), common)
    return caller
  }

  #xsrfToken({ tokenHash }: Caller): string {
    return sign(this.#settings.xsrfKey, tokenHash)
  }

  /** A browser names the page's origin on every POST; clients that are no browser name none. */
  #isSameOrigin({ headers: { origin, host } }: FastifyRequest): boolean {
    if (origin === undefined) return true
    if (origin === this.#settings.publicOrigin) return true
    return isNamedDirectly(host) && URL.canParse(origin) && new URL(origin).host === host
  }
}

/** The caller of a route that needs one. Throws `session.expired`. */
export function requireCaller({ caller }: FastifyRequest): Caller {
  if (!caller) throw new AppError('session.expired', {})
  return caller
}
