import { join } from 'node:path'
import { openLocalJobs } from './jobs/local-jobs.ts'
import type { LocalJobs, LocalJobsSettings } from './jobs/settings.ts'
import { launchUtility } from './launch-engine.ts'
import type { Log } from './log.ts'
import { openQuota, type OpenQuota } from './quota/open-quota.ts'
import type { ServerSession } from './server-session.ts'
import type { Settings } from './settings.ts'
import type { Seal } from './vault.ts'
import { transportOf } from './website.ts'

/** The key of passes for days without a network that this build trusts, put in when it is bundled; empty where the server's word counts. */
declare const BUILT_PASS_KEY: string | undefined

/** What work on this computer is opened with. */
export interface LocalStart {
  readonly folder: string
  readonly session: ServerSession
  readonly settings: Settings
  readonly seal: Seal | undefined
  /** The compiled `engine-child`. */
  readonly script: string
  readonly picturesFolder: () => string
  readonly onChange: NonNullable<LocalJobsSettings['onChange']>
  readonly log: Log
}

/** Work on this computer, and what pays for it. */
export interface LocalWork {
  readonly jobs: LocalJobs
  readonly quota: OpenQuota
}

const pinned = (): { readonly pinnedKey?: string } =>
  typeof BUILT_PASS_KEY === 'string' && BUILT_PASS_KEY !== '' ? { pinnedKey: BUILT_PASS_KEY } : {}

/** Opens the jobs of this computer, and what pays for them. */
export async function openLocal(start: LocalStart): Promise<LocalWork> {
  const { folder, session, settings, seal, script, picturesFolder, onChange, log } = start
  const quota = await openQuota({
    folder: join(folder, 'quota'),
    transport: transportOf(session),
    who: () => session.who,
    seal,
    ...pinned(),
    now: Date.now,
    log,
  })
  const { MODELS_DIR } = process.env
  const jobs = await openLocalJobs({
    folder: join(folder, 'jobs'),
    quota,
    launch: launchUtility(script),
    output: () => settings.shown.output,
    picturesFolder,
    onChange,
    ...(MODELS_DIR && { modelsFolder: MODELS_DIR }),
    log,
  })
  return { jobs, quota }
}
