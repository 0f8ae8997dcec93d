import type { Logger } from 'pino'
import { openRealProviders, openSandboxProviders, type Providers } from './providers/open.ts'
import type { Method, PaymentProvider } from './providers/provider.ts'
import type { Gateway } from './sandbox/gateway.ts'
import { openSandboxKeys } from './sandbox/keys.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/open.ts'
import type { Counts } from '../metrics/counted.ts'
import { AppError } from '#shared/errors/app-error'

/** What whoever deals with money needs: the orders, the providers, a clock. */
export interface Till {
  readonly db: Database
  readonly log: Logger
  readonly now: () => number
  /** New orders of one identity by one method: how many in how many seconds. */
  readonly newOrders: readonly [most: number, seconds: number]
  readonly counts: Pick<Counts, 'ordersCreated' | 'payments' | 'noticesRefused'>
  /** The ways to pay; none where payments are off. */
  readonly providers: () => Promise<Providers>
  /** The gateway that stands in for the providers, where it does. */
  readonly sandbox: (() => Promise<Gateway>) | undefined
}

/** Opens the till. Real keys are read at once, and what is wrong with them throws ConfigError; a sandbox's are made when first needed. */
export function openTill(config: Config, parts: Pick<Till, 'db' | 'log' | 'now' | 'newOrders' | 'counts'>, ownOrigin: () => string): Till {
  const { payments, publicUrl, dataFolder } = config
  if (payments.kind === 'off') return { ...parts, providers: async () => new Map(), sandbox: undefined }
  if (payments.kind === 'real') {
    const providers = openRealProviders(payments, publicUrl)
    return { ...parts, providers: async () => providers, sandbox: undefined }
  }
  let keys: ReturnType<typeof openSandboxKeys> | undefined
  const openKeys = (): ReturnType<typeof openSandboxKeys> => (keys ??= openSandboxKeys(dataFolder))
  let providers: Providers | undefined
  return {
    ...parts,
    providers: async () => (providers ??= openSandboxProviders(await openKeys(), ownOrigin(), ownOrigin())),
    sandbox: async () => ({ db: parts.db, now: parts.now, keys: await openKeys() }),
  }
}

/** A way to pay. Throws `payment.unavailable` where it is not open. */
export async function providerOf(till: Pick<Till, 'providers'>, method: Method): Promise<PaymentProvider> {
  const provider = (await till.providers()).get(method)
  if (!provider) throw new AppError('payment.unavailable', {})
  return provider
}
