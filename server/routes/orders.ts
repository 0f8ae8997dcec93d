import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { z } from 'zod/mini'
import { serve } from './route.ts'
import { requireCaller } from '../accounts/session.ts'
import { settle } from '../billing/follow.ts'
import { isPaid, ownOrder, paidOrdersOf, placeOrder, watchOrder } from '../billing/orders.ts'
import type { Method } from '../billing/providers/provider.ts'
import { isNamedDirectly } from '../hosts.ts'
import type { Services } from '../services.ts'
import * as calls from '#shared/api/orders'
import { AppError } from '#shared/errors/app-error'

/** Ordering, asking whether it is paid, and what was paid so far. */
export function addOrderRoutes(app: FastifyInstance, services: Services): void {
  const { config, connection, identities, rates, till } = services

  const order = async (request: FastifyRequest, method: Method, body: z.output<typeof calls.orderByAlipay.body>): Promise<string> => {
    const caller = requireCaller(request)
    // Nobody pays into, or for, another's account; nor into none, where the page has not got its identity yet.
    if (!(await identities.isOwn(connection.db, caller.identityId, body.loginID))) throw new AppError('request.refused', {})
    const { orderId: clientOrderId, price: plan, bdUrl, url360 } = body
    return placeOrder(till, caller, { method, clientOrderId, plan, bdUrl, url360 })
  }

  serve(app, calls.orderByAlipay, {
    rate: rates.change,
    handle: async (request, body) => {
      const address = await order(request, 'alipay', body)
      return { result: config.payments.kind === 'sandbox' ? asSeenFrom(request, config.publicUrl, address) : address }
    },
  })

  serve(app, calls.orderByWechat, { rate: rates.change, handle: async (request, body) => order(request, 'wechat', body) })

  serve(app, calls.orderStatus, {
    rate: rates.read,
    handle: async (request, { orderId }) => {
      const found = await ownOrder(till, requireCaller(request), orderId)
      if (found) await watchOrder(till, found)
      return found && isPaid(found.state) ? calls.PAID : calls.UNPAID
    },
  })

  serve(app, calls.checkOrder, {
    rate: rates.checkOrder,
    handle: async (request, { orderId }) => {
      const caller = requireCaller(request)
      const found = await ownOrder(till, caller, orderId)
      if (!found) return calls.UNPAID
      await settle(till, found).catch((cause: unknown) => {
        throw new AppError('service.unavailable', {}, { cause })
      })
      const asked = await ownOrder(till, caller, orderId)
      return asked && isPaid(asked.state) ? calls.PAID : calls.UNPAID
    },
  })

  serve(app, calls.paidOrders, {
    rate: rates.read,
    handle: async (request) => {
      const rows = await paidOrdersOf(till, requireCaller(request).identityId)
      return rows.map(({ orderId, plan, amountFen, paidAt, invoice }) => ({
        orderId,
        plan,
        amount: amountFen / 100,
        paidAt: paidAt?.toISOString() ?? '',
        ...(invoice !== null && { invoice }),
      }))
    },
  })
}

/** The sandbox is this very server, by whichever of its names the page was opened: at another one it could not be framed. */
function asSeenFrom({ headers: { host } }: FastifyRequest, publicUrl: string | undefined, address: string): string {
  const { pathname, search, origin } = new URL(address)
  const isOwnName = publicUrl === undefined && isNamedDirectly(host)
  return (isOwnName ? `http://${host}` : (publicUrl ?? origin)) + pathname + search
}
