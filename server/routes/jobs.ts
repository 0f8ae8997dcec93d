import type { FastifyInstance, FastifyRequest } from 'fastify'
import { afterOf } from './after.ts'
import { serve } from './route.ts'
import { ownersOf } from '../accounts/caller.ts'
import { requireCaller } from '../accounts/session.ts'
import { payerOf } from '../billing/payer.ts'
import { newRequestKey } from '../jobs/keys.ts'
import { cancelJob, changedJobs, expireJob, ownJob, ownJobs } from '../jobs/manage.ts'
import { QueueLength } from '../jobs/standing.ts'
import { submitJobs, type SubmitRules } from '../jobs/submit.ts'
import { clearFiles } from '../jobs/sweep.ts'
import { issueTicket } from '../jobs/zip.ts'
import type { Services } from '../services.ts'
import { givenKey } from '#shared/api/job-headers'
import * as calls from '#shared/api/jobs'
import { AppError } from '#shared/errors/app-error'

const idOf = (request: FastifyRequest): string => {
  const { params } = request
  return typeof params === 'object' && params !== null && 'id' in params ? String(params.id) : ''
}

const requestKeyOf = ({ headers }: FastifyRequest): string => givenKey(headers['idempotency-key']) ?? newRequestKey()

const rulesOf = ({ config, now, secrets, storage: { store } }: Services): SubmitRules => ({
  store,
  now,
  maxFileBytes: calls.MAX_FILE_BYTES,
  allowance: config.guestAllowance,
  length: new QueueLength(),
  mostWaiting: config.mostWaiting,
  secretKey: secrets.key('job'),
})

/** Starting, reading, ending and removing jobs; each sees and touches its caller's own only. */
export function addJobRoutes(app: FastifyInstance, services: Services): void {
  const { connection, feed, log, now, rates, secrets, storage, usage } = services
  const { db } = connection
  const rules = rulesOf(services)
  const sweepable = { db, store: storage.store, usage, now }

  serve(app, calls.createJobs, {
    rate: rates.createJobs,
    handle: async (request, body) => {
      const payer = payerOf(requireCaller(request), request.ip, secrets)
      return { jobs: [...(await submitJobs(db, rules, { payer, requestKey: requestKeyOf(request), body }))] }
    },
  })

  serve(app, calls.listJobs, {
    rate: rates.read,
    handle: async (request) => {
      const owners = ownersOf(requireCaller(request))
      const after = afterOf(request)
      return feed.views(await (after === undefined ? ownJobs(db, owners) : changedJobs(db, owners, after, calls.LISTED_JOBS)))
    },
  })

  serve(app, calls.readJob, {
    rate: rates.read,
    handle: async (request) => {
      const [view] = await feed.views([await ownJob(db, ownersOf(requireCaller(request)), idOf(request))])
      if (!view) throw new AppError('job.not-found', {})
      return view
    },
  })

  serve(app, calls.cancelJob, {
    rate: rates.change,
    handle: async (request) => {
      await cancelJob(db, ownersOf(requireCaller(request)), idOf(request), now())
      return {}
    },
  })

  serve(app, calls.deleteJob, {
    rate: rates.change,
    handle: async (request) => {
      const row = await expireJob(db, ownersOf(requireCaller(request)), idOf(request), now())
      // The job is over whatever happens here; what the storage refuses now, the sweeper removes.
      await clearFiles(sweepable, row).catch((error: unknown) => log.warn({ err: error }, 'removing files failed'))
      return {}
    },
  })

  serve(app, calls.zipJobs, {
    rate: rates.change,
    handle: async (request, { ids }) => ({ ticket: await issueTicket(db, ownersOf(requireCaller(request)), ids, now()) }),
  })
}
