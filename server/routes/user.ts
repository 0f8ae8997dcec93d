import type { FastifyInstance } from 'fastify'
import { serve } from './route.ts'
import { requireCaller, type SessionCookies } from '../accounts/session.ts'
import { uploadPrefix } from '../jobs/keys.ts'
import { isNamedDirectly } from '../hosts.ts'
import { KEPT_MS } from '../jobs/queue.ts'
import { CONCURRENT_JOBS } from '../jobs/turns.ts'
import type { Services } from '../services.ts'
import { hasRoom } from '../storage/local/disk.ts'
import { MAX_FILE_BYTES, MAX_INPUTS, MAX_STORED_BYTES } from '#shared/api/jobs'
import { listTools } from '#shared/api/tools'
import { storageCredentials, tourist } from '#shared/api/user'
import { AppError } from '#shared/errors/app-error'
import { plans } from '#shared/plans'
import { tools } from '#shared/tools/index'

/** Identity, upload credentials, and what this server can do. */
export function addUserRoutes(app: FastifyInstance, services: Services, sessions: SessionCookies): void {
  const { config, connection, identities, metrics, now, rates, storage, usage } = services

  serve(app, tourist, {
    rate: rates.tourist,
    // Asking again makes nobody: every page that opens does.
    knownRate: rates.read,
    handle: async (request, _body, reply) => {
      const { identityId } = await sessions.enter(request, reply)
      const { userid, username } = await identities.profile(connection.db, identityId)
      return { userid, username }
    },
  })

  serve(app, storageCredentials, {
    rate: rates.sts,
    handle: async (request) => {
      const { identityId } = requireCaller(request)
      if (storage.handle && !(await hasRoom(config.dataFolder))) throw new AppError('storage.full', {})
      if ((await usage.of(identityId, now())) >= MAX_STORED_BYTES) throw new AppError('storage.quota', { limitBytes: MAX_STORED_BYTES })
      const prefix = uploadPrefix(identityId)
      const issued = await storage.credentials.issue(prefix)
      metrics.credentialsIssued.inc()
      // The page may have been opened by another of this machine's names, and uploads to where it came from only.
      const isOwn = storage.handle && config.publicUrl === undefined && isNamedDirectly(request.headers.host)
      return { ...issued, ...(isOwn && { endpoint: `http://${request.headers.host}` }), prefix }
    },
  })

  serve(app, listTools, {
    rate: rates.read,
    handle: async () => ({
      partnerMarker: config.partnerMarker,
      unavailable: tools.filter((tool) => !tool.runsOn.includes('cloud')).map(({ id }) => id),
      plans: Object.entries(plans).map(([code, { label, amountFen }]) => ({ code, label, amount: amountFen / 100 })),
      limits: {
        fileBytes: MAX_FILE_BYTES,
        storedBytes: MAX_STORED_BYTES,
        inputsPerCall: MAX_INPUTS,
        concurrentJobs: CONCURRENT_JOBS,
        keptMinutes: KEPT_MS / 60_000,
      },
    }),
  })
}
