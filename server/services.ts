import type { Logger } from 'pino'
import type { AccountFeed } from './accounts/account-feed.ts'
import type { Identities } from './accounts/identities.ts'
import type { WechatLogin } from './accounts/wechat-login.ts'
import type { Till } from './billing/till.ts'
import type { Config } from './config.ts'
import type { DatabaseConnection } from './database/open.ts'
import type { JobFeed } from './jobs/feed.ts'
import type { StoredBytes } from './jobs/usage.ts'
import type { Metrics } from './metrics.ts'
import type { Readiness } from './readiness.ts'
import type { Secrets } from './secrets.ts'
import type { Storage } from './storage/open.ts'
import type { SiteFacts } from '#shared/site'

/** How often each kind of call may be made, by one identity or, without one, from one address: how many in how many seconds. */
export interface RateLimits {
  readonly tourist: readonly [max: number, seconds: number]
  readonly sts: readonly [max: number, seconds: number]
  readonly createJobs: readonly [max: number, seconds: number]
  readonly read: readonly [max: number, seconds: number]
  readonly change: readonly [max: number, seconds: number]
  /** Tries at an account id from one address, in a quarter of an hour and in a day. */
  readonly login: readonly [max: number, seconds: number]
  readonly loginDay: readonly [max: number, seconds: number]
  readonly orderLookup: readonly [max: number, seconds: number]
  readonly orderLookupDay: readonly [max: number, seconds: number]
  readonly createOrder: readonly [max: number, seconds: number]
  readonly checkOrder: readonly [max: number, seconds: number]
  /** Messages of a provider from one of its addresses. */
  readonly notice: readonly [max: number, seconds: number]
  readonly operatorLogin: readonly [max: number, seconds: number]
}

export const usualRates: RateLimits = {
  tourist: [20, 3600],
  sts: [10, 60],
  createJobs: [120, 60],
  // Two a second, and a page that has just been opened asks for several things at once.
  read: [120, 60],
  change: [600, 60],
  login: [10, 15 * 60],
  loginDay: [50, 86_400],
  orderLookup: [5, 60],
  orderLookupDay: [20, 86_400],
  createOrder: [20, 3600],
  checkOrder: [12, 60],
  notice: [3000, 60],
  operatorLogin: [10, 15 * 60],
}

/** Everything the routes work with, opened once and closed by whoever opened it. */
export interface Services {
  readonly config: Config
  readonly log: Logger
  readonly connection: DatabaseConnection
  readonly storage: Storage
  readonly identities: Identities
  /** How people sign in by WeChat, where they can. */
  readonly wechatLogin: WechatLogin | undefined
  readonly accountFeed: AccountFeed
  readonly feed: JobFeed
  readonly till: Till
  readonly usage: StoredBytes
  readonly secrets: Secrets
  readonly metrics: Metrics
  readonly readiness: Readiness
  /** What the operator has told of the site. */
  readonly site: SiteFacts
  readonly rates: RateLimits
  readonly now: () => number
  /** How long nothing may move on a connection. */
  readonly stallMs: number
  /** The folder of the built page. */
  readonly siteFolder: string
}
