import type { FastifyInstance } from 'fastify'
import { serve } from './route.ts'
import { requireCaller } from '../accounts/session.ts'
import { clickIdOf, recordDownload } from '../attribution/conversions.ts'
import type { Services } from '../services.ts'
import { tellOcpc360 } from '#shared/api/orders'

/** What the page tells of for advertisers. It is answered at once, whatever becomes of it. */
export function addAttributionRoutes(app: FastifyInstance, { config, connection, now, rates }: Services): void {
  serve(app, tellOcpc360, {
    rate: rates.read,
    handle: async (request, { url360, event }) => {
      const { tokenHash } = requireCaller(request)
      const clickId = clickIdOf(url360)
      const isWanted = config.conversionUrls.ocpc360 !== undefined && clickId !== undefined && /^[\w-]{1,40}$/.test(event)
      if (isWanted) await recordDownload(connection.db, { sessionHash: tokenHash, clickId, event }, now())
      return {}
    },
  })
}
