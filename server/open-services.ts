import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { AccountFeed } from './accounts/account-feed.ts'
import { Identities } from './accounts/identities.ts'
import { openWechatLogin } from './accounts/open-wechat-login.ts'
import { openTill } from './billing/till.ts'
import type { Config } from './config.ts'
import { openDatabase, sourceOf } from './database/open.ts'
import { JobFeed } from './jobs/feed.ts'
import { ownerOfUpload } from './jobs/keys.ts'
import { recoverJobs } from './jobs/queue.ts'
import { StoredBytes } from './jobs/usage.ts'
import { openLog } from './log.ts'
import { openMetrics, openOwnMetrics, type Metrics } from './metrics.ts'
import { Readiness, requireRoom, requireWritable } from './readiness.ts'
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

function countUpload({ uploads, uploadBytes }: Metrics, bytes: number, isAdmitted: boolean): boolean {
  if (isAdmitted) uploads.inc()
  if (isAdmitted) uploadBytes.inc(bytes)
  return isAdmitted
}

/** What the storage of a process depends on; `port` is asked for once it listens. */
interface StorageParts {
  readonly secrets: Secrets
  readonly log: Logger
  readonly metrics: Metrics
  readonly readiness: Readiness
  readonly now: () => number
  readonly stallMs: number
  readonly port: () => number
}

/** Opens the storage as the configuration says: Aliyun's, that of another process, or this process' own; and the count of what lies in it. */
export async function openFiles(config: Config, parts: StorageParts): Promise<{ readonly storage: Storage; readonly usage: StoredBytes }> {
  const { secrets, log, metrics, readiness, now, stallMs, port } = parts
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
        maxUploadBytes: MAX_FILE_BYTES,
        stallMs,
        mayStore: async (key, bytes) => {
          const identityId = ownerOfUpload(key)
          return identityId === undefined || countUpload(metrics, bytes, await usage.admit(identityId, bytes, now()))
        },
        report: (cause) => log.error({ err: cause }, 'storage failed'),
      },
  )
  const usage = new StoredBytes(storage.store)
  readiness.need('storage', () => storage.store.head('r/ready'))
  if (storage.handle) readiness.need('room', () => requireRoom(dataFolder))
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
  const source = sourceOf(config, databaseTemplate)
  const connection = await openDatabase(source)
  const { db } = connection
  const metrics = openMetrics(config, connection, now)
  const readiness = new Readiness()
  readiness.need('database', () => requireWritable(db))
  const till = openTill(config, { db, log, now, newOrders: rates.createOrder, counts: metrics }, () => ownUrl(config.host, port()))
  await recoverJobs(db, source.kind === 'embedded' ? 'all' : 'lost', now())
  const secrets = openSecrets(config.secretKey, config.dataFolder)
  const { storage, usage } = await openFiles(config, { secrets, log, metrics, readiness, now, stallMs, port })
  return {
    config,
    log,
    connection,
    readiness,
    storage,
    identities: new Identities(secrets),
    wechatLogin: openWechatLogin(config, secrets, now),
    accountFeed: new AccountFeed(db, now),
    feed: new JobFeed(db, secrets.key('result'), now),
    till,
    usage,
    secrets,
    metrics,
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
): Promise<Pick<Services, 'config' | 'log' | 'storage' | 'metrics' | 'readiness' | 'stallMs'>> {
  const log = openLog(config.logLevel)
  const secrets = openSecrets(config.secretKey, config.dataFolder)
  const parts = { secrets, log, metrics: openOwnMetrics(config), readiness: new Readiness(), now, stallMs, port }
  const { storage } = await openFiles(config, parts)
  return { config, storage, ...parts }
}
