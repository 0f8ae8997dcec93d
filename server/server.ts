import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { buildApp, buildHealthApp } from './app.ts'
import { startSending } from './attribution/sender.ts'
import { startRounds } from './billing/rounds.ts'
import type { Till } from './billing/till.ts'
import { begins } from './chores.ts'
import type { Config } from './config.ts'
import type { DatabaseConnection } from './database/open.ts'
import { sweep } from './jobs/sweep.ts'
import { openServices, openStorageServices, ownUrl, type Installation, type ServerOptions } from './open-services.ts'
import { repeat } from './repeat.ts'
import type { Services } from './services.ts'
import { startWorker } from './start-worker.ts'
import type { EnginePool } from '#engine/pool'

export type { Installation, ServerOptions } from './open-services.ts'

const SWEEP_EVERY_MS = 5 * 60_000
const CLOSE_PATIENCE_MS = 2_000

/** A process of an installation at work. */
export interface RunningProcess {
  /** Where it is reached. */
  readonly url: string
  readonly close: () => Promise<void>
}

/** A whole server at work. */
export interface RunningServer extends RunningProcess {
  readonly port: number
  readonly pool: EnginePool
  readonly connection: DatabaseConnection
  readonly till: Till
  /** Removes at once whatever is due. */
  readonly sweep: () => Promise<void>
}

/** Opens what the configured role needs. Throws ConfigError, DataFolderInUse, or what listening throws. */
export function startProcess(config: Config, installation: Installation): Promise<RunningProcess> {
  if (config.role === 'api') return startApi(config, installation)
  if (config.role === 'worker') return startWorkerProcess(config, installation)
  return config.role === 'storage' ? startStorage(config) : startServer(config, installation)
}

/** Everything in one process, in its order: data, storage, HTTP, workers. */
export async function startServer(config: Config, installation: Installation, options: ServerOptions = {}): Promise<RunningServer> {
  const api = await startApi(config, installation, options)
  const { pool, close } = await startWorker(api.services)
  const { connection, till } = api.services
  return {
    url: api.url,
    port: api.port,
    pool,
    connection,
    till,
    sweep: api.sweep,
    close: async () => {
      await drain(api.services)
      await close()
      await api.close()
    },
  }
}

/** HTTP, its feeds, and what is done now and then; jobs are for workers. */
async function startApi(config: Config, installation: Installation, options: ServerOptions = {}) {
  let port = config.port
  const services = await openServices(config, installation, options, () => port)
  const { accountFeed, connection, feed, log, now, storage, usage } = services
  const app = await buildApp(services)
  try {
    await feed.start(connection)
    await accountFeed.start(connection)
    port = await listen(app, config)
  } catch (error) {
    await connection.close()
    throw error
  }
  const endSending = startSending({ db: connection.db, hosts: config.conversionUrls, log, now })
  const sweepAll = (): Promise<void> => sweep({ db: connection.db, store: storage.store, usage, now })
  const sweepDue = async (): Promise<void> => {
    if (await begins(connection.db, 'sweep', SWEEP_EVERY_MS)) await sweepAll()
  }
  const endSweeping = repeat(SWEEP_EVERY_MS, sweepDue, { log })
  const endRounds = startRounds(services.till)
  return {
    url: config.publicUrl ?? ownUrl(config.host, port),
    port,
    services,
    sweep: sweepAll,
    close: async () => {
      await drain(services)
      await endSweeping()
      await endSending()
      await endRounds()
      await feed.close()
      await accountFeed.close()
      await closeApp(app, config)
      await connection.close()
    },
  }
}

/** Takes jobs; over HTTP it only says how it is. */
async function startWorkerProcess(config: Config, installation: Installation): Promise<RunningProcess> {
  const services = await openServices(config, installation, {}, () => config.port)
  const app = buildHealthApp(services)
  const port = await listen(app, config)
  const worker = await startWorker(services)
  return {
    url: ownUrl(config.host, port),
    close: async () => {
      services.readiness.drain()
      await worker.close()
      await closeApp(app, config)
      await services.connection.close()
    },
  }
}

/** Keeps files in its data folder, for all processes and browsers. */
async function startStorage(config: Config): Promise<RunningProcess> {
  let port = config.port
  const services = await openStorageServices(config, {}, () => port)
  const app = buildHealthApp(services)
  port = await listen(app, config)
  return {
    url: ownUrl(config.host, port),
    close: async () => {
      await drain(services)
      await closeApp(app, config)
    },
  }
}

/** Says that it is not ready, and goes on working until whoever sends requests here has heard it. */
async function drain({ config, readiness }: Pick<Services, 'config' | 'readiness'>): Promise<void> {
  if (readiness.isDraining) return
  readiness.drain()
  if (config.drainMs > 0) await wait(config.drainMs)
}

/** The port it listens on, which is for the system to choose where the configured one is 0. */
async function listen(app: FastifyInstance, { host, port }: Config): Promise<number> {
  await app.listen({ host, port })
  const bound = app.server.address()
  return bound !== null && typeof bound === 'object' ? bound.port : port
}

/** Answers what is under way, but waits for nobody who takes his time; for longer where others go on working meanwhile. */
async function closeApp(app: FastifyInstance, { drainMs }: Config): Promise<void> {
  const impatient = setTimeout(() => app.server.closeAllConnections(), CLOSE_PATIENCE_MS + drainMs)
  app.server.closeIdleConnections()
  await app.close()
  clearTimeout(impatient)
}
