import { BlockList, isIPv6 } from 'node:net'
import { and, eq, gt, lte } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../database/open.ts'
import { operators, operatorSessions } from '../database/schema-operators.ts'
import { hashOf, isSame, newToken, sign, type Secrets } from '../secrets.ts'
import { AppError } from '#shared/errors/app-error'

const IDLE_MS = 15 * 60_000
/** A working day; whoever works on signs in again. */
const LONGEST_MS = 12 * 3_600_000

/** An operator at work. */
export interface Operator {
  readonly name: string
  readonly tokenHash: string
}

/** How operators' sessions travel, and from where they may come. */
export interface OperatorSettings {
  readonly db: Database
  readonly secrets: Secrets
  readonly isHttps: boolean
  /** Addresses and networks; anywhere where this is left out. */
  readonly addresses: readonly string[] | undefined
  readonly now: () => number
}

/** An IPv4 address as a socket for both kinds names it. */
const plain = (ip: string): string => ip.replace(/^::ffff:(?=\d+\.)/i, '')

function networksOf(addresses: readonly string[]): BlockList {
  const list = new BlockList()
  for (const one of addresses) {
    const [address = '', bits] = one.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

/** Sessions of operators: a cookie of their own, over after a quarter of an hour without a call and after a working day, apart from what the person is to the shop. */
export class OperatorSessions {
  readonly #settings: OperatorSettings
  readonly #networks: BlockList | undefined

  constructor(settings: OperatorSettings) {
    this.#settings = settings
    this.#networks = settings.addresses && networksOf(settings.addresses)
  }

  get #name(): string {
    return this.#settings.isHttps ? '__Secure-operator' : 'operator'
  }

  get #common() {
    return { path: '/api', sameSite: 'strict', secure: this.#settings.isHttps, httpOnly: true } as const
  }

  /** Throws `address.unknown` to who comes from elsewhere: he need not learn that there is something. */
  checkAddress({ ip }: FastifyRequest): void {
    const address = plain(ip)
    if (this.#networks && !this.#networks.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) throw new AppError('address.unknown', {})
  }

  /** Begins a session; its XSRF token. */
  async enter(reply: FastifyReply, operatorId: string): Promise<string> {
    const { db, now } = this.#settings
    // It says itself since when it is good: changed, it would be none that is known.
    const token = `${now().toString(36)}.${newToken()}`
    await db.insert(operatorSessions).values({ tokenHash: hashOf(token), operatorId, lastSeenAt: new Date(now()) })
    void reply.setCookie(this.#name, token, this.#common)
    return this.xsrfOf({ tokenHash: hashOf(token) })
  }

  /** The operator who calls, whose session lasts on; what changes or asks by POST must come with its XSRF token. Throws `operator.required`, `request.refused`. */
  async require(request: FastifyRequest): Promise<Operator> {
    this.checkAddress(request)
    const { db, now } = this.#settings
    const token = request.cookies[this.#name]
    if (!token || Number.parseInt(token, 36) + LONGEST_MS <= now()) throw new AppError('operator.required', {})
    const tokenHash = hashOf(token)
    const isAlive = and(eq(operatorSessions.tokenHash, tokenHash), gt(operatorSessions.lastSeenAt, new Date(now() - IDLE_MS)))
    const [row] = await db
      .update(operatorSessions)
      .set({ lastSeenAt: new Date(now()) })
      .from(operators)
      .where(and(isAlive, eq(operators.id, operatorSessions.operatorId)))
      .returning({ name: operators.name })
    if (!row) throw new AppError('operator.required', {})
    const given = request.headers['x-xsrf-token']
    const isOwnPage = typeof given === 'string' && isSame(given, this.xsrfOf({ tokenHash }))
    if (request.method !== 'GET' && !isOwnPage) throw new AppError('request.refused', {})
    return { name: row.name, tokenHash }
  }

  /** Ends a session. */
  async leave(reply: FastifyReply, { tokenHash }: Operator): Promise<void> {
    await this.#settings.db.delete(operatorSessions).where(eq(operatorSessions.tokenHash, tokenHash))
    void reply.clearCookie(this.#name, this.#common)
  }

  /** What the operator's own page sends along. */
  xsrfOf({ tokenHash }: Pick<Operator, 'tokenHash'>): string {
    return sign(this.#settings.secrets.key('xsrf'), `operator ${tokenHash}`)
  }
}

/** Forgets sessions that are over. */
export async function forgetOperatorSessions(db: Database, now: number): Promise<void> {
  await db.delete(operatorSessions).where(lte(operatorSessions.lastSeenAt, new Date(now - IDLE_MS)))
}
