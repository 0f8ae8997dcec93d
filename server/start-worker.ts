import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { startBeating } from './jobs/heartbeat.ts'
import { Worker } from './jobs/worker.ts'
import { addChildFigures } from './metrics/measured.ts'
import type { Services } from './services.ts'
import { isolationOf, type View } from '#engine/isolation'
import { launchNode, type Child } from '#engine/launch'
import { cloudLimits } from '#engine/limits'
import { EnginePool } from '#engine/pool'
import { sweepWorkspaces } from '#engine/workspace'

/** Below the server's own: it answers at once while pictures are worked on. */
const CHILD_NICENESS = 10
/** A worker looks for jobs, or renews its leases, every 10 s. */
const LOOK_WITHIN_MS = 45_000
const LEAST_GRACE_MS = 3_000
const TRIAL_EVERY_MS = 5 * 60_000

/** Whether a child can be started: tried now and then, by one that is given nothing to do. Rejects where none was. */
function childTrial(launch: () => Child): () => Promise<void> {
  let last: { readonly at: number; readonly outcome: Promise<void> } | undefined
  return () => {
    if (!last || performance.now() - last.at > TRIAL_EVERY_MS) {
      last = { at: performance.now(), outcome: started(launch) }
      // Not to be remembered for as long as what is well.
      last.outcome.catch(() => (last = undefined))
    }
    return last.outcome
  }
}

function started(launch: () => Child): Promise<void> {
  return new Promise((settle, reject) => {
    const child = launch()
    child.onReport(() => {
      settle()
      child.kill()
    })
    child.onExit((reason) => reject(new Error(reason)))
  })
}

/** A whole server has waited already when its worker's turn to end comes. */
const graceOf = ({ role, drainMs }: Services['config']): number => Math.max(LEAST_GRACE_MS, role === 'worker' ? drainMs : 0)

/** Begins to take jobs and has the engine's children do them. */
export async function startWorker({
  config,
  connection,
  storage,
  log,
  metrics,
  now,
  readiness,
  secrets,
  site,
}: Services): Promise<{ readonly pool: EnginePool; readonly close: () => Promise<void> }> {
  const { aiWorkers: aiSize, documentWorkers: documentSize, modelsFolder, workers } = config
  const folder = resolve(config.dataFolder, 'work')
  mkdirSync(folder, { recursive: true })
  await sweepWorkspaces(folder)
  const view: View = { folder, reads: modelsFolder === undefined ? [] : [resolve(modelsFolder)] }
  const isolation = isolationOf(view)
  if (isolation !== 'namespaces') log.warn({ isolation }, 'child processes are not in namespaces of their own: this system refuses them')
  const launch = (): Child => launchNode({ ...view, niceness: CHILD_NICENESS })
  const pool = new EnginePool({
    size: workers,
    documentSize,
    limits: cloudLimits,
    launch,
    ...(aiSize !== undefined && { aiSize }),
    ...(modelsFolder !== undefined && { modelsFolder }),
    ...(site.company !== undefined && { producer: site.company }),
  })
  addChildFigures(metrics.registry, isolation, () => pool.pids)
  const size = { usual: workers, ai: pool.aiSize, document: documentSize }
  const secretKey = secrets.key('job')
  const worker = new Worker({
    connection,
    store: storage.store,
    pool,
    size,
    folder,
    log,
    now,
    graceMs: graceOf(config),
    counts: metrics,
    secretKey,
  })
  await worker.start()
  // It does no work, and who asks for readiness does not wait long: it gives way to nobody.
  const trial = childTrial(() => launchNode(view))
  readiness.need('queue', async () => {
    if (performance.now() - worker.lookedAt > LOOK_WITHIN_MS) throw new Error('no job could be asked for')
  })
  readiness.need('children', async () => pool.pids.length > 0 || trial())
  const endBeating = startBeating({ db: connection.db, log, sizes: size })
  return {
    pool,
    close: async () => {
      await worker.close()
      await endBeating()
      pool.close()
    },
  }
}
