import type { FastifyInstance } from 'fastify'
import { z } from 'zod/mini'
import { serve } from './route.ts'
import { issueOnce, takeOnce } from '../accounts/once-tickets.ts'
import { requireCaller, type SessionCookies } from '../accounts/session.ts'
import { joinComputer } from '../accounts/sessions.ts'
import { listSlots, releaseSlot } from '../accounts/slots.ts'
import type { Services } from '../services.ts'
import * as calls from '#shared/api/devices'
import { AppError } from '#shared/errors/app-error'

const TICKET_LASTS_MS = 60_000
const shared = z.object({ deviceId: z.string() })

/** The computers of a membership. */
export function addDeviceRoutes(app: FastifyInstance, { connection, now, rates }: Services, cookies: SessionCookies): void {
  const { db } = connection

  serve(app, calls.listDevices, {
    rate: rates.read,
    handle: async (request) => {
      const { identityId, deviceId } = requireCaller(request)
      return listSlots(db, identityId, deviceId, now())
    },
  })

  serve(app, calls.releaseDevice, {
    rate: rates.change,
    handle: async (request, { deviceId }) => {
      const { identityId } = requireCaller(request)
      await db.transaction((tx) => releaseSlot(tx, { identityId, deviceId }, now()))
      return {}
    },
  })

  serve(app, calls.shareDevice, {
    rate: rates.change,
    handle: async (request) => {
      const { deviceId } = requireCaller(request)
      return { ticket: await issueOnce(db, 'device', { deviceId }, now() + TICKET_LASTS_MS) }
    },
  })

  serve(app, calls.joinDevice, {
    rate: rates.change,
    handle: async (request, { ticket }, reply) => {
      const caller = requireCaller(request)
      const { deviceId } = await db.transaction(async (tx) => {
        const given = await takeOnce(tx, 'device', shared, ticket, now())
        if (!given) throw new AppError('ticket.over', {})
        await joinComputer(tx, caller, given.deviceId, now())
        return given
      })
      cookies.nameComputer(reply, deviceId)
      return {}
    },
  })
}
