import { mkdir, rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { hasEnded } from './job.ts'
import { OpenJobs, pathsOf } from './open-jobs.ts'
import { JobQueue } from './queue.ts'
import { Runner } from './runner.ts'
import type { LocalJobs, LocalJobsSettings } from './settings.ts'
import { Submitter } from './submit.ts'
import { Grants } from '../files/grants.ts'
import { KeptFiles } from '../files/kept-files.ts'
import { removeLeft } from '../files/place-results.ts'
import { realPath } from '../files/real-path.ts'
import { WaitingFiles } from '../files/waiting-files.ts'
import { localLimits } from '#engine/limits'
import { EnginePool } from '#engine/pool'

/** Opens the jobs of this computer: what was at work when the client ended begins again. */
export async function openLocalJobs(settings: LocalJobsSettings): Promise<LocalJobs> {
  const { quota, log, now = Date.now } = settings
  await mkdir(settings.folder, { recursive: true })
  // A profile may lie behind a link, and what is granted is known by where it really lies.
  const folder = await realPath(settings.folder)
  const [workFolder, partsFolder] = [join(folder, 'work'), join(folder, 'parts')]
  for (const left of [workFolder, partsFolder]) await rm(left, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  for (const made of [workFolder, partsFolder]) await mkdir(made, { recursive: true })
  const { queue, abandoned } = await JobQueue.open(join(folder, 'jobs.jsonl'), now)
  const [grants, kept] = [new Grants(), new KeptFiles(join(folder, 'kept'))]
  for (const { inputs, attachment } of queue.all()) {
    for (const { key, path, name, folder: from } of [...inputs, ...(attachment ? [attachment] : [])]) {
      if (path !== '') grants.remember(key, { path, name, ...(from !== undefined && { folder: from }) })
    }
  }
  const waiting = await WaitingFiles.open(join(folder, 'waiting.json'), grants, log)
  const unfinished = queue.all().filter((job) => !hasEnded(job))
  await kept.sweep([...unfinished.flatMap(pathsOf), ...waiting.paths])
  for (const { id, stagedIn = [], staged = [] } of queue.all()) {
    // What was noted as staged goes on; anything else is begun anew.
    if (staged.length === 0) for (const place of stagedIn) await removeLeft(id, place)
  }
  const size = settings.size ?? Math.max(1, availableParallelism() - 1)
  const { launch, modelsFolder, producer } = settings
  const some = { ...(modelsFolder !== undefined && { modelsFolder }), ...(producer !== undefined && { producer }) }
  const pool = new EnginePool({ size, limits: localLimits, launch, ...some })
  const instead = (path: string): string | undefined => (kept.has(path) ? settings.picturesFolder() : undefined)
  const shared = { queue, quota, log, now }
  const runner = new Runner({ ...shared, pool, workFolder, partsFolder, instead, size: { usual: size, ai: pool.aiSize } })
  const submitter = new Submitter({ ...shared, grants, output: settings.output })
  const own = new OpenJobs({ settings, queue, grants, kept, waiting, runner, submitter, pool, partsFolder, now })
  own.begin(abandoned)
  return own
}
