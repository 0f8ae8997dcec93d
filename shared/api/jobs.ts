import { z } from 'zod/mini'
import { defineCall } from './call.ts'

/** Inputs of one call, at most. */
export const MAX_INPUTS = 200
/** Bytes of one upload, at most. */
export const MAX_FILE_BYTES = 50 * 1024 ** 2
/** Bytes of all of an identity's files together, at most. */
export const MAX_STORED_BYTES = 2 * 1024 ** 3

/** Inputs of one call that become one job, at most: all rows of a page. */
export const MAX_TOGETHER = 1000

/**
 * An uploaded file: its key in the object storage, its name, the folder it was picked from (`旅行/第一天`), and its place among the
 * files picked with it, from 1, for results that are named by number; left out, it is the place in the call.
 */
export const jobInput = z.object({
  key: z.string().check(z.minLength(1), z.maxLength(1000)),
  name: z.string().check(z.minLength(1), z.maxLength(1000)),
  path: z.optional(z.string().check(z.maxLength(2000))),
  place: z.optional(z.int().check(z.gte(1), z.lte(1_000_000))),
})

const note = z.union([
  z.object({ kind: z.literal('unchanged') }),
  z.object({ kind: z.literal('missed'), targetBytes: z.number(), bestBytes: z.number() }),
  z.object({ kind: z.literal('stripped') }),
  z.object({ kind: z.literal('adjusted') }),
  z.object({ kind: z.literal('enlarged'), times: z.number() }),
  z.object({ kind: z.literal('unsure') }),
  z.object({ kind: z.literal('no-face') }),
  z.object({ kind: z.literal('in-colour') }),
  z.object({ kind: z.literal('plain') }),
  z.object({ kind: z.literal('no-stretch') }),
  z.object({ kind: z.literal('guessed'), by: z.optional(z.enum(['file', 'traces'])) }),
  z.object({ kind: z.literal('no-table') }),
  z.object({ kind: z.literal('scanned') }),
  z.object({ kind: z.literal('text-layer') }),
  z.object({ kind: z.literal('shrunk'), width: z.number(), height: z.number(), quality: z.optional(z.number()) }),
])

/** Where a head lies, in percent of the upright picture; its lean in degrees. */
const head = z.object({ crown: z.number(), eyes: z.number(), chin: z.number(), centre: z.number(), tilt: z.number() })

/** Where a job stands; the last four are final. */
export const jobState = z.enum(['queued', 'running', 'done', 'failed', 'cancelled', 'expired'])

/** A job as its owner sees it. `ahead` = jobs of its kind, with a model or without, that will be taken before it; `url` works for 15 minutes, for the owner only. */
export const jobView = z.object({
  id: z.string(),
  /** Grows with every change of any job: of two views of one job the one with the larger number is the later. */
  change: z.number(),
  tool: z.string(),
  state: jobState,
  ahead: z.number(),
  progress: z.number(),
  step: z.optional(z.string()),
  inputs: z.array(z.object({ key: z.string(), name: z.string(), path: z.optional(z.string()), bytes: z.number() })),
  outputs: z.array(
    z.object({
      name: z.string(),
      bytes: z.number(),
      format: z.string(),
      width: z.optional(z.number()),
      height: z.optional(z.number()),
      pages: z.optional(z.number()),
      head: z.optional(head),
      url: z.string(),
    }),
  ),
  /** The addresses of what an editor works on, by the names of `Part`; they last as those of outputs do. */
  parts: z.optional(
    z.object({
      source: z.string(),
      matte: z.optional(z.string()),
      foreground: z.optional(z.string()),
      chroma: z.optional(z.string()),
    }),
  ),
  note: z.optional(note),
  error: z.optional(z.object({ code: z.string(), data: z.unknown() })),
  createdAt: z.string(),
  /** When the files go, for a job that has ended. */
  expiresAt: z.optional(z.string()),
})

/** A job as its owner sees it. */
export type JobView = z.infer<typeof jobView>
/** Where a job stands. */
export type JobState = z.infer<typeof jobState>

const nothing = z.object({})

/**
 * Starts one job an input, or one for all of them where the tool takes all together. An input that can't be processed
 * becomes a job that has failed already; when none can, or one of those taken together, the call fails, and so it does
 * (`options.background-*`) for want of the attachment that its options call for. What was cut out of the same upload before costs nothing
 * again. Sent again with the same `Idempotency-Key` header it answers with the jobs of the first time, and refuses another body under it.
 */
export const createJobs = defineCall({
  method: 'POST',
  path: '/jobs',
  body: z.object({
    tool: z.string(),
    options: z.unknown(),
    inputs: z.array(jobInput).check(z.minLength(1)),
    /** The file that the options call for beside each input: a background picture. */
    attachment: z.optional(jobInput),
  }),
  reply: z.object({ jobs: z.array(z.object({ id: z.string(), name: z.string() })) }),
})

/** Jobs one answer of `listJobs` holds, at most. */
export const LISTED_JOBS = 1000

/** The jobs of this identity, newest first; with `?after=` those that changed after that number, in the order of their changes. */
export const listJobs = defineCall({ method: 'GET', path: '/jobs', body: z.undefined(), reply: z.array(jobView) })

/** One job. */
export const readJob = defineCall({ method: 'GET', path: '/jobs/:id', body: z.undefined(), reply: jobView })

/** Ends a job that has not ended; one that has stays as it is. */
export const cancelJob = defineCall({ method: 'POST', path: '/jobs/:id/cancel', body: z.unknown(), reply: nothing })

/** Cancels a job and removes its files, inputs too, at once. */
export const deleteJob = defineCall({ method: 'DELETE', path: '/jobs/:id', body: z.unknown(), reply: nothing })

/** A ticket for one download of the results of some jobs as a zip. */
export const zipJobs = defineCall({
  method: 'POST',
  path: '/jobs/zip',
  body: z.object({ ids: z.array(z.string()).check(z.minLength(1), z.maxLength(1000)) }),
  reply: z.object({ ticket: z.string() }),
})
