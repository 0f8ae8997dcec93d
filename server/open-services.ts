import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { count, inArray } from 'drizzle-orm'
import type { Logger } from 'pino'
import { AccountFeed } from './accounts/account-feed.ts'
import { Identities } from './accounts/identities.ts'
import { openWechatLogin } from './accounts/open-wechat-login.ts'
import { openTill } from './billing/till.ts'
import type { Config } from './config.ts'
import { openDatabase, type Database } from './database/open.ts'
import { jobs } from './database/schema.ts'
import { JobFeed } from './jobs/feed.ts'
import { ownerOfUpload } from './jobs/keys.ts'
import { recoverJobs } from './jobs/queue.ts'
import { StoredBytes } from './jobs/usage.ts'
import { openLog } from './log.ts'
import { openMetrics } from './metrics.ts'
import { openSecrets, type Secrets } from './secrets.ts'
import { usualRates, type RateLimits, type Services } from './services.ts'
import { readSite } from './site.ts'
import { openStorage, type Storage } from './storage/open.ts'
import { MAX_FILE_BYTES } from '#shared/api/jobs'

const STALL_MS = 30_000

/** What tests set and users do not. */
export interface ServerOptions {
  readonly rates?: RateLimits
  readonly now?: () => number
  readonly stallMs?: number
}

/** Where things of the installation lie that are no data. */
export interface Installation {
  readonly siteFolder: string
  readonly databaseTemplate: string
}

/** Where this machine reaches what listens there: by name unless that is one address only. */
export function ownUrl(host: string, port: number): string {
  if (['0.0.0.0', '127.0.0.1', '::', '::1'].includes(host)) return `http://localhost:${port}`
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

const countJobs = async (db: Database): Promise<ReadonlyMap<string, number>> => {
  const rows = await db
    .select({ state: jobs.state, count: count() })
    .from(jobs)
    .where(inArray(jobs.state, ['queued', 'running']))
    .groupBy(jobs.state)
  return new Map(rows.map((row) => [row.state, row.count]))
}

/** What the storage of a process depends on; `port` is asked for once it listens. */
interface StorageParts {
  readonly secrets: Secrets
  readonly log: Logger
  readonly now: () => number
  readonly stallMs: number
  readonly port: () => number
}

/** Opens the storage as the configuration says: Aliyun's, that of another process, or this process' own; and the count of what lies in it. */
export async function openFiles(config: Config, parts: StorageParts): Promise<{ readonly storage: Storage; readonly usage: StoredBytes }> {
  const { secrets, log, now, stallMs, port } = parts
  const { cloudStorage, dataFolder, host, publicUrl, storageUrl } = config
  const secretKey = secrets.key('storage')
  const ownEndpoint = (): string => ownUrl(host, port())
  const elsewhere = config.role === 'storage' || storageUrl === undefined ? undefined : { url: storageUrl, secretKey, publicUrl }
  const storage = await openStorage(
    cloudStorage ??
      elsewhere ?? {
        folder: join(dataFolder, 'objects'),
        secretKey,
        endpoint: () => publicUrl ?? ownEndpoint(),
        ownEndpoint,
        maxObjectBytes: MAX_FILE_BYTES,
        stallMs,
        mayStore: async (key, bytes) => {
          const identityId = ownerOfUpload(key)
          return identityId === undefined || usage.admit(identityId, bytes, now())
        },
        report: (cause) => log.error({ err: cause }, 'storage failed'),
      },
  )
  const usage = new StoredBytes(storage.store)
  return { storage, usage }
}

/** Opens the data and the storage, and queues again what was running when the last server ended. `port` is asked for once it listens. */
export async function openServices(
  config: Config,
  { siteFolder, databaseTemplate }: Installation,
  options: ServerOptions,
  port: () => number,
): Promise<Services> {
  const { now = Date.now, rates = usualRates, stallMs = STALL_MS } = options
  // Before anything is opened: whoever starts the server is told at once.
  const site = readSite(config)
  const log = openLog(config.logLevel)
  mkdirSync(config.dataFolder, { recursive: true })
  const source = config.databaseUrl
    ? ({ kind: 'postgres', url: config.databaseUrl } as const)
    : ({ kind: 'embedded', folder: join(config.dataFolder, 'database'), template: databaseTemplate } as const)
  const connection = await openDatabase(source)
  const { db } = connection
  const till = openTill(config, { db, log, now, newOrders: rates.createOrder }, () => ownUrl(config.host, port()))
  await recoverJobs(db, source.kind === 'embedded' ? 'all' : 'lost', now())
  const secrets = openSecrets(config.secretKey, config.dataFolder)
  const { storage, usage } = await openFiles(config, { secrets, log, now, stallMs, port })
  return {
    config,
    log,
    connection,
    storage,
    identities: new Identities(secrets),
    wechatLogin: openWechatLogin(config, secrets, now),
    accountFeed: new AccountFeed(db, now),
    feed: new JobFeed(db, secrets.key('result'), now),
    till,
    usage,
    secrets,
    metrics: openMetrics(() => countJobs(db), config.modelsFolder),
    site,
    rates,
    now,
    stallMs,
    siteFolder,
  }
}

/** What a process that only keeps files works with. */
export async function openStorageServices(
  config: Config,
  { now = Date.now, stallMs = STALL_MS }: ServerOptions,
  port: () => number,
): Promise<Pick<Services, 'config' | 'log' | 'storage' | 'metrics' | 'stallMs'>> {
  const log = openLog(config.logLevel)
  const secrets = openSecrets(config.secretKey, config.dataFolder)
  const { storage } = await openFiles(config, { secrets, log, now, stallMs, port })
  return { config, log, storage, metrics: openMetrics(async () => new Map(), undefined), stallMs }
}
