import type { FastifyInstance } from 'fastify'
import { serve } from './route.ts'
import type { Services } from '../services.ts'
import { readSite } from '#shared/api/site'

/** What the page shows of this site. */
export function addSiteRoute(app: FastifyInstance, { config, rates, site, wechatLogin }: Services): void {
  serve(app, readSite, {
    rate: rates.read,
    handle: async () => ({
      facts: site,
      isSandbox: config.payments.kind === 'sandbox',
      hasPayments: config.payments.kind !== 'off',
      hasWechatLogin: wechatLogin !== undefined,
      free: config.guestAllowance,
    }),
  })
}
