import { statfs } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { serve } from './route.ts'
import { requireCaller, type SessionCookies } from '../accounts/session.ts'
import { uploadPrefix } from '../jobs/keys.ts'
import { CONCURRENT_JOBS, KEPT_MS } from '../jobs/queue.ts'
import { MAX_STORED_BYTES } from '../jobs/usage.ts'
import { MAX_FILE_BYTES, type Services } from '../services.ts'
import { MAX_INPUTS } from '#shared/api/jobs'
import { listTools } from '#shared/api/tools'
import { storageCredentials, tourist } from '#shared/api/user'
import { AppError } from '#shared/errors/app-error'
import { tools } from '#shared/tools/index'

const LEAST_FREE_SHARE = 0.1

/** Whether the disk of a folder has room for more uploads. */
async function hasRoom(folder: string): Promise<boolean> {
  const { bavail, blocks } = await statfs(folder)
  return bavail / blocks >= LEAST_FREE_SHARE
}

/** Identity, upload credentials, and what this server can do. */
export function addUserRoutes(app: FastifyInstance, services: Services, sessions: SessionCookies): void {
  const { config, identities, now, rates, storage, usage } = services

  serve(app, tourist, {
    rate: rates.tourist,
    handle: async (request, _body, reply) => {
      const { identityId } = await sessions.enter(request, reply)
      return identities.profile(identityId)
    },
  })

  serve(app, storageCredentials, {
    rate: rates.sts,
    handle: async (request) => {
      const { identityId } = requireCaller(request)
      if (!config.cloudStorage && !(await hasRoom(config.dataFolder))) throw new AppError('storage.full', {})
      if ((await usage.of(identityId, now())) >= MAX_STORED_BYTES) throw new AppError('storage.quota', { limitBytes: MAX_STORED_BYTES })
      const prefix = uploadPrefix(identityId)
      return { ...(await storage.credentials.issue(prefix)), prefix }
    },
  })

  serve(app, listTools, {
    rate: rates.read,
    handle: async () => ({
      unavailable: tools.filter((tool) => !tool.runsOn.includes('cloud')).map(({ id }) => id),
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
