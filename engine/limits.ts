import type { Cost } from '#shared/tools/define'

/** What a job may take. Beyond these a file is refused before it is decoded, and a child process is killed. */
export interface Limits {
  /** Pixels of one picture or frame. */
  readonly maxPixels: number
  /** The longer side, in pixels. */
  readonly maxSidePx: number
  readonly maxFrames: number
  /** Pixels of all frames together. */
  readonly maxFramesPixels: number
  /** Resident memory of a child process … */
  readonly maxResidentBytes: number
  /** … and of one that holds a model beside its picture. */
  readonly maxAiResidentBytes: number
}

const GB = 1024 ** 3
const shared = { maxSidePx: 100_000, maxFrames: 500, maxFramesPixels: 200e6, maxResidentBytes: 1.5 * GB, maxAiResidentBytes: 3 * GB }

/** For files of strangers, on the server. */
export const cloudLimits: Limits = { ...shared, maxSidePx: 30_000, maxPixels: 100e6 }

/** For a person's own files on their own machine: the command line and the desktop client. */
export const localLimits: Limits = { ...shared, maxPixels: 250e6 }

/** How long a job of each class may run before its process is killed, in milliseconds. */
export const deadlineMs: Readonly<Record<Cost, number>> = { image: 60_000, ai: 240_000, document: 300_000, free: 300_000 }
