import type { Note, Part } from '#engine/processor'
import type { JobState, JobView } from '#shared/api/jobs'
import type { OutputPlace } from '#shared/desktop'
import type { WireError } from '#shared/errors/app-error'
import type { FormatId } from '#shared/formats'
import type { ToolId } from '#shared/tools/index'

/** A file of this computer that a job works on. */
export interface LocalInput {
  readonly key: string
  /** Where it really lies. */
  readonly path: string
  readonly name: string
  /** The folder it was picked from. */
  readonly folder?: string
  readonly place?: number
  readonly bytes: number
  /** Tells these bytes from those of another time. */
  readonly tag?: string
}

/** Where a job's results go, as it was set when it was started. `folder` is the chosen one, where one folder is for all. */
export interface OutputChoice {
  readonly place: OutputPlace
  readonly folder: string
}

type Facts = Omit<JobView['outputs'][number], 'url' | 'format'> & { readonly format: FormatId }

/** A result on its way to its folder: the file it is until it has its name, and the last path that was tried for it. */
export interface StagedOutput extends Facts {
  readonly folder: string
  readonly partial: string
  readonly path?: string
}

/** A result where it was put. */
export interface LocalOutput extends Facts {
  readonly path: string
}

/** What an editor works on, for as long as the client runs. */
export interface LocalPart {
  readonly part: Part
  readonly format: FormatId
  readonly path: string
  /** What was found, where that serves later jobs of the same file. */
  readonly finding?: string
}

/** What is the same for all jobs of one call. */
export interface LocalCall {
  readonly requestKey: string
  readonly tool: ToolId
  readonly options: unknown
  readonly attachment?: LocalInput
  readonly output: OutputChoice
}

/** What changes of a job, and outlives the client. */
export interface JobFacts {
  readonly state: JobState
  readonly note?: Note
  readonly error?: WireError
  readonly outputs: readonly LocalOutput[]
  /** Results that are being put into their folders: from here on the job is done, whatever happens. */
  readonly staged?: readonly StagedOutput[]
  /** Where files may have been left before they were noted as staged. */
  readonly stagedIn?: readonly string[]
  /** Whether something was set aside for it that has not been settled yet, … */
  readonly isOwing: boolean
  /** … and what is to become of that, once it has ended. */
  readonly isCharged?: boolean
  /** How often its process crashed under it, and how often it was stopped from outside. */
  readonly crashes: number
  readonly interruptions: number
  readonly endedAt?: number
}

/** A job as it is noted on disk. */
export interface StoredJob extends LocalCall, JobFacts {
  readonly id: string
  readonly inputs: readonly [LocalInput, ...LocalInput[]]
  readonly createdAt: number
}

/** A job of this computer. */
export interface LocalJob extends StoredJob {
  /** Grows with every change of any job. */
  readonly change: number
  readonly progress: number
  readonly step?: string | undefined
  readonly parts: readonly LocalPart[]
}

/** A job stopped so often from outside, by the client's end or its process' death, may be why. */
export const INTERRUPTIONS_ALLOWED = 20

/** Whether a job has ended, one way or another. */
export const hasEnded = ({ state }: Pick<LocalJob, 'state'>): boolean => state !== 'queued' && state !== 'running'
