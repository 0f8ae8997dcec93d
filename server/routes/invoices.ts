import type { FastifyInstance } from 'fastify'
import { serve } from './route.ts'
import { requireCaller } from '../accounts/session.ts'
import { askForInvoice } from '../billing/invoices.ts'
import type { Services } from '../services.ts'
import { askInvoice } from '#shared/api/orders'

/** Asking for invoices. */
export function addInvoiceRoutes(app: FastifyInstance, { connection, now, rates }: Services): void {
  serve(app, askInvoice, {
    rate: rates.createOrder,
    handle: async (request, { orderId, ...draft }) => {
      await askForInvoice(connection.db, requireCaller(request).identityId, orderId, draft, now())
      return {}
    },
  })
}
