import { mkdirSync } from 'node:fs'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { count, inArray } from 'drizzle-orm'
import type { FastifyInstance } from 'fastify'
import { AccountFeed } from './accounts/account-feed.ts'
import { openWechatLogin } from './accounts/open-wechat-login.ts'
import { Identities } from './accounts/identities.ts'
import { buildApp } from './app.ts'
import { startSending } from './attribution/sender.ts'
import { startRounds } from './billing/rounds.ts'
import { openTill, type Till } from './billing/till.ts'
import type { Config } from './config.ts'
import { openDatabase, type Database, type DatabaseConnection } from './database/open.ts'
import { jobs } from './database/schema.ts'
import { JobFeed } from './jobs/feed.ts'
import { ownerOfUpload } from './jobs/keys.ts'
import { recoverJobs } from './jobs/queue.ts'
import { sweep } from './jobs/sweep.ts'
import { StoredBytes } from './jobs/usage.ts'
import { Worker, type WorkerSettings } from './jobs/worker.ts'
import { openLog } from './log.ts'
import { openMetrics } from './metrics.ts'
import { openSecrets } from './secrets.ts'
import { usualRates, type RateLimits, type Services } from './services.ts'
import { readSite } from './site.ts'
import { openStorage } from './storage/open.ts'
import { launchNode, type Child } from '#engine/launch'
import { cloudLimits } from '#engine/limits'
import { EnginePool } from '#engine/pool'
import { sweepWorkspaces } from '#engine/workspace'
import { MAX_FILE_BYTES } from '#shared/api/jobs'

const SWEEP_EVERY_MS = 5 * 60_000
/** Below the server's own: it answers at once while pictures are worked on. */
const CHILD_NICENESS = 10
const CLOSE_PATIENCE_MS = 2_000
const STALL_MS = 30_000

/** What tests set and users do not. */
export interface ServerOptions {
  readonly rates?: RateLimits
  readonly now?: () => number
  readonly stallMs?: number
}

/** A server at work. */
export interface RunningServer {
  /** Where it is reached. */
  readonly url: string
  readonly port: number
  readonly pool: EnginePool
  readonly connection: DatabaseConnection
  readonly till: Till
  /** Removes at once whatever is due. */
  readonly sweep: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Where things of the installation lie that are no data. */
export interface Installation {
  readonly siteFolder: string
  readonly databaseTemplate: string
}

function launchQuietly(): Child {
  const child = launchNode()
  if (child.pid !== undefined) setPriority(child.pid, CHILD_NICENESS)
  return child
}

/** Where this machine reaches what listens there: by name unless that is one address only. */
function ownUrl(host: string, port: number): string {
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

/** Opens the data and the storage, and queues again what was running when the last server ended. `port` is asked for once it listens. */
async function openServices(
  config: Config,
  { siteFolder, databaseTemplate }: Installation,
  options: ServerOptions,
  port: () => number,
): Promise<Services> {
  const { now = Date.now, rates = usualRates, stallMs = STALL_MS } = options
  // Before anything is opened: whoever starts the server is told at once.
  const site = readSite(config)
  const log = openLog(config.logLevel)
  const ownEndpoint = (): string => ownUrl(config.host, port())
  mkdirSync(config.dataFolder, { recursive: true })
  const source = config.databaseUrl
    ? ({ kind: 'postgres', url: config.databaseUrl } as const)
    : ({ kind: 'embedded', folder: join(config.dataFolder, 'database'), template: databaseTemplate } as const)
  const connection = await openDatabase(source)
  const { db } = connection
  const till = openTill(config, { db, log, now, newOrders: rates.createOrder }, ownEndpoint)
  await recoverJobs(db, source.kind === 'embedded' ? 'all' : 'lost', now())
  const secrets = openSecrets(config.secretKey, config.dataFolder)
  const storage = await openStorage(
    config.cloudStorage ?? {
      folder: join(config.dataFolder, 'objects'),
      secretKey: secrets.key('storage'),
      endpoint: () => config.publicUrl ?? ownEndpoint(),
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

async function startWorker({
  config,
  connection,
  storage,
  log,
  metrics,
  now,
  site,
}: Services): Promise<{ worker: Worker; pool: EnginePool }> {
  const { aiWorkers: aiSize, modelsFolder, workers } = config
  const folder = join(config.dataFolder, 'work')
  mkdirSync(folder, { recursive: true })
  await sweepWorkspaces(folder)
  const pool = new EnginePool({
    size: workers,
    limits: cloudLimits,
    launch: launchQuietly,
    ...(aiSize !== undefined && { aiSize }),
    ...(modelsFolder !== undefined && { modelsFolder }),
    ...(site.company !== undefined && { producer: site.company }),
  })
  const onEnd: WorkerSettings['onEnd'] = (tool, state, { seconds, peakBytes }) => {
    metrics.jobSeconds.observe({ tool }, seconds)
    metrics.jobsEnded.inc({ tool, state })
    if (peakBytes > 0) metrics.jobPeakBytes.observe({ tool }, peakBytes)
  }
  const size = { usual: workers, ai: pool.aiSize }
  const worker = new Worker({ connection, store: storage.store, pool, size, folder, log, now, onEnd })
  await worker.start()
  return { worker, pool }
}

/** Opens everything in its order: data, storage, HTTP, workers. Throws ConfigError, DataFolderInUse, or what listening throws. */
export async function startServer(config: Config, installation: Installation, options: ServerOptions = {}): Promise<RunningServer> {
  let port = config.port
  const services = await openServices(config, installation, options, () => port)
  const { accountFeed, connection, feed, log, now, storage, usage } = services
  const app = await buildApp(services)
  try {
    await feed.start(connection)
    await accountFeed.start(connection)
    await app.listen({ port: config.port, host: config.host })
  } catch (error) {
    await connection.close()
    throw error
  }
  const bound = app.server.address()
  if (bound !== null && typeof bound === 'object') port = bound.port
  const { worker, pool } = await startWorker(services)
  const endSending = startSending({ db: connection.db, hosts: config.conversionUrls, log, now })
  const sweepAll = (): Promise<void> => sweep({ db: connection.db, store: storage.store, usage, now })
  const logged = (error: unknown): void => log.error({ err: error }, 'sweeping failed')
  const endRounds = startRounds(services.till)
  const sweeping = setInterval(() => void sweepAll().catch(logged), SWEEP_EVERY_MS)
  sweepAll().catch(logged)
  return {
    url: config.publicUrl ?? ownUrl(config.host, port),
    port,
    pool,
    connection,
    till: services.till,
    sweep: sweepAll,
    close: async () => {
      clearInterval(sweeping)
      await endSending()
      await endRounds()
      await worker.close()
      pool.close()
      await feed.close()
      await accountFeed.close()
      await closeApp(app)
      await connection.close()
    },
  }
}

/** Answers what is under way, but waits for nobody who takes his time. */
async function closeApp(app: FastifyInstance): Promise<void> {
  const impatient = setTimeout(() => app.server.closeAllConnections(), CLOSE_PATIENCE_MS)
  app.server.closeIdleConnections()
  await app.close()
  clearTimeout(impatient)
}
