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

/** A worker looks for jobs, or renews its leases, every 10 s. */
const LOOK_WITHIN_MS = 45_000
const LEAST_GRACE_MS = 3_000
const TRIAL_EVERY_MS = 5 * 60_000

/** Whether a child can be started: tried now and then, by one that is given nothing to do. Rejects where none was. */
function childTrial(view: View): () => Promise<void> {
  let last: { readonly at: number; readonly outcome: Promise<void> } | undefined
  return () => {
    if (!last || performance.now() - last.at > TRIAL_EVERY_MS) {
      last = { at: performance.now(), outcome: started(view) }
      // Not to be remembered for as long as what is well.
      last.outcome.catch(() => (last = undefined))
    }
    return last.outcome
  }
}

function started(view: View): Promise<void> {
  return new Promise((settle, reject) => {
    // It does no work, and who asks does not wait long: it gives way to nobody.
    const child = launchNode(view)
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
  const { aiWorkers: aiSize, documentWorkers: documentSize, modelsFolder, niceness, workers } = config
  const folder = resolve(config.dataFolder, 'work')
  mkdirSync(folder, { recursive: true })
  await sweepWorkspaces(folder)
  const view: View = { folder, reads: modelsFolder === undefined ? [] : [resolve(modelsFolder)] }
  const isolation = isolationOf(view)
  if (isolation !== 'namespaces') log.warn({ isolation }, 'child processes are not in namespaces of their own: this system refuses them')
  // Below the server's own: it answers at once while pictures are worked on.
  const launch = (): Child => launchNode({ ...view, niceness })
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
  readiness.need('queue', async () => {
    if (performance.now() - worker.lookedAt > LOOK_WITHIN_MS) throw new Error('no job could be asked for')
  })
  const trial = childTrial(view)
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
