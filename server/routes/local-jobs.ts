import type { FastifyInstance, FastifyRequest } from 'fastify'
import { serve } from './route.ts'
import { ownersOf } from '../accounts/caller.ts'
import { requireCaller } from '../accounts/session.ts'
import { chargeOffline, reserveAtClient, settleAtClient, type Client } from '../billing/local-jobs.ts'
import { OfflinePasses } from '../billing/offline-pass.ts'
import { payerOf } from '../billing/payer.ts'
import type { Services } from '../services.ts'
import * as calls from '#shared/api/local-jobs'
import { AppError } from '#shared/errors/app-error'
import type { Cost } from '#shared/tools/define'
import { costOf, isToolId, parseOptions, toolOf } from '#shared/tools/index'

interface Named {
  readonly id: string
  readonly units: number
}

/** What jobs of a call weigh. Throws what refuses them: a tool that runs on no desktop, wrong options. */
function weigh(tool: string, options: unknown, jobs: readonly Named[]): Cost {
  if (!isToolId(tool) || !toolOf(tool).runsOn.includes('desktop')) throw new AppError('tool.unavailable', {})
  if (toolOf(tool).takes === 'each' && jobs.some(({ units }) => units !== 1)) throw new AppError('request.invalid', {})
  return costOf(tool, parseOptions(tool, options ?? {}))
}

function refuseTwins(jobs: readonly Named[]): void {
  if (new Set(jobs.map(({ id }) => id)).size < jobs.length) throw new AppError('request.invalid', {})
}

/** Who pays for what clients do on their own computers, guests' clients too. */
export function addLocalJobRoutes(app: FastifyInstance, { config, connection, now, rates, secrets }: Services): void {
  const { db } = connection
  const passes = new OfflinePasses(secrets)

  // A page has its jobs run here: what it says of jobs elsewhere would be made up.
  const clientOf = (request: FastifyRequest): Client => {
    const caller = requireCaller(request)
    if (caller.kind !== 'desktop') throw new AppError('request.refused', {})
    return { payer: payerOf(caller, request.ip, secrets), owners: ownersOf(caller) }
  }
  const passOf = async ({ payer }: Client): Promise<{ pass?: string }> => {
    const pass = await passes.issue(db, payer, now())
    return pass === undefined ? {} : { pass }
  }

  serve(app, calls.reserveLocal, {
    rate: rates.createJobs,
    handle: async (request, { tool, options, jobs }) => {
      const client = clientOf(request)
      refuseTwins(jobs)
      const cost = weigh(tool, options, jobs)
      const charges = jobs.map(({ id, units }) => ({ jobId: id, units }))
      const terms = { allowance: config.guestAllowance, now: now() }
      const paid = await db.transaction((tx) => reserveAtClient(tx, client, cost, charges, terms))
      return { paid: jobs.map(({ id }) => id).filter((id) => paid.has(id)), ...(await passOf(client)) }
    },
  })

  serve(app, calls.settleLocal, {
    rate: rates.change,
    handle: async (request, body) => {
      const client = clientOf(request)
      await db.transaction((tx) => settleAtClient(tx, client, body, now()))
      return passOf(client)
    },
  })

  serve(app, calls.reportOffline, {
    rate: rates.change,
    handle: async (request, { pass, uses }) => {
      const client = clientOf(request)
      refuseTwins(uses)
      const claims = passes.read(pass)
      if (claims?.device !== client.payer.deviceId) throw new AppError('request.invalid', {})
      await db.transaction((tx) => chargeOffline(tx, claims, uses, now()))
      return passOf(client)
    },
  })

  serve(app, calls.readPass, { rate: rates.read, handle: async (request) => passOf(clientOf(request)) })
  serve(app, calls.readPassKey, { rate: rates.read, handle: async () => ({ key: passes.key }) })
}
