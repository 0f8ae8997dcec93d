import { mkdirSync } from 'node:fs'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { Worker, type WorkerSettings } from './jobs/worker.ts'
import type { Services } from './services.ts'
import { launchNode, type Child } from '#engine/launch'
import { cloudLimits } from '#engine/limits'
import { EnginePool } from '#engine/pool'
import { sweepWorkspaces } from '#engine/workspace'

/** Below the server's own: it answers at once while pictures are worked on. */
const CHILD_NICENESS = 10

function launchQuietly(): Child {
  const child = launchNode()
  if (child.pid !== undefined) setPriority(child.pid, CHILD_NICENESS)
  return child
}

/** Begins to take jobs and has the engine's children do them. */
export async function startWorker({
  config,
  connection,
  storage,
  log,
  metrics,
  now,
  site,
}: Services): Promise<{ readonly pool: EnginePool; readonly close: () => Promise<void> }> {
  const { aiWorkers: aiSize, documentWorkers: documentSize, modelsFolder, workers } = config
  const folder = join(config.dataFolder, 'work')
  mkdirSync(folder, { recursive: true })
  await sweepWorkspaces(folder)
  const pool = new EnginePool({
    size: workers,
    documentSize,
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
  const size = { usual: workers, ai: pool.aiSize, document: documentSize }
  const worker = new Worker({ connection, store: storage.store, pool, size, folder, log, now, onEnd })
  await worker.start()
  return {
    pool,
    close: async () => {
      await worker.close()
      pool.close()
    },
  }
}
