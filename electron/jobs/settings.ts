import type { BatchState } from './batch.ts'
import type { OutputChoice } from './job.ts'
import type { Named } from '../files/grants.ts'
import type { Log } from '../log.ts'
import type { Quota } from '../quota.ts'
import type { Child } from '#engine/launch'
import type { GrantedFile, ReplyOf, RequestOf } from '#shared/desktop'
import type { WireError } from '#shared/errors/app-error'

/** What jobs on this computer are run with. */
export interface LocalJobsSettings {
  /** A folder of the client's own. No two processes may use one at the same time. */
  readonly folder: string
  readonly quota: Quota
  /** Starts a child process for the engine. */
  readonly launch: () => Child
  /** Where results go, as it is set now. */
  readonly output: () => OutputChoice
  /** The person's pictures: results of what lies nowhere a person looks, a pasted picture, go to a folder in it. */
  readonly picturesFolder: () => string
  readonly log: Log
  /** Told how the jobs stand, some five times a second at most. */
  readonly onChange?: (state: BatchState) => void
  /** Jobs without a model at a time; one core less than there are where left out, for the person who works on. */
  readonly size?: number
  readonly modelsFolder?: string
  readonly producer?: string
  readonly now?: () => number
}

/** Jobs on this computer, and the files they work on. */
export interface LocalJobs extends AsyncDisposable {
  /** Answers `/api/jobs…` and `/local/…`. */
  handle(request: Request): Promise<Response>
  /** Grants picked or dropped files, each by itself. */
  grant(files: readonly Named[]): Promise<readonly (GrantedFile | { readonly error: WireError })[]>
  /** Grants files named on a command line, and all that lies in folders among them; what may not be used is left out. */
  open(paths: readonly string[]): Promise<readonly GrantedFile[]>
  /** Keeps bytes that lie nowhere, and grants them. */
  keep(name: string, bytes: Uint8Array): Promise<GrantedFile>
  /** Notes which files wait on the page to be started. */
  noteWaiting(files: RequestOf<'files:note-waiting'>): void
  /** The files that waited there before a crash. */
  waiting(): Promise<ReplyOf<'files:waiting'>>
  /** Where a job's n-th result lies. Throws `result.gone`. */
  result(jobId: string, n: number): Promise<string>
  /** A folder that was chosen for results, as it is to be remembered. Throws `place.refused` or `place.gone`. */
  chosenFolder(path: string): Promise<string>
  /** Tells the page that the account may have changed. */
  announceAccount(): void
  /** Whether jobs wait or run. */
  readonly isBusy: boolean
  /** Stops what runs, to be run again by the next start. */
  close(): Promise<void>
}
