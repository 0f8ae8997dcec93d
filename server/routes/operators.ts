import type { FastifyInstance } from 'fastify'
import { serve } from './route.ts'
import { limitAddress } from '../accounts/attempts.ts'
import { invoicesAskedFor, settleInvoice } from '../billing/invoices.ts'
import { refundOrder } from '../billing/refunds.ts'
import { Desk } from '../operators/desk.ts'
import { recentJobs } from '../operators/jobs.ts'
import { changePassword, recognise } from '../operators/operators.ts'
import { askedDay, orderAt, reportOf } from '../operators/report.ts'
import type { Services } from '../services.ts'
import * as calls from '#shared/api/operators'
import { AppError } from '#shared/errors/app-error'

/** What operators do. They have sessions of their own, and so has what guards them. */
export function addOperatorRoutes(app: FastifyInstance, services: Services, isHttps: boolean): void {
  const desk = new Desk(services, isHttps)
  addSigningIn(app, services, desk)
  addPassword(app, services, desk)
  addReport(app, services, desk)
  addInvoices(app, services, desk)
  addJobs(app, services, desk)
  addRefunds(app, services, desk)
}

function addSigningIn(app: FastifyInstance, services: Services, desk: Desk): void {
  const { connection, metrics, now, rates, secrets } = services
  const { sessions } = desk

  serve(app, calls.operatorLogin, {
    rate: rates.operatorLogin,
    // However many sessions somebody has: his tries are his address's.
    guards: [limitAddress(services, 'operator', rates.operatorLogin)],
    hasOwnProof: true,
    handle: async (request, given, reply) => {
      sessions.checkAddress(request)
      const operatorId = await recognise(connection.db, secrets, given, now())
      await desk.note(request, given.name, operatorId === undefined ? 'login-refused' : 'login')
      if (operatorId === undefined) {
        metrics.loginsRefused.inc({ by: 'operator' })
        throw new AppError('operator.refused', {})
      }
      return { name: given.name, xsrf: await sessions.enter(reply, operatorId) }
    },
  })

  serve(app, calls.operatorSelf, {
    rate: rates.read,
    handle: async (request) => {
      const operator = await sessions.require(request)
      return { name: operator.name, xsrf: sessions.xsrfOf(operator) }
    },
  })

  serve(app, calls.operatorLogout, {
    rate: rates.change,
    hasOwnProof: true,
    handle: async (request, _body, reply) => {
      await sessions.leave(reply, await desk.admit(request, 'logout'))
      return {}
    },
  })
}

function addPassword(app: FastifyInstance, services: Services, desk: Desk): void {
  const { connection, metrics, now, rates, secrets } = services
  serve(app, calls.operatorPassword, {
    rate: rates.operatorLogin,
    // Who found a desk open tries no more than who stands before the door.
    guards: [limitAddress(services, 'operator', rates.operatorLogin)],
    hasOwnProof: true,
    handle: async (request, change) => {
      const operator = await desk.admit(request, 'password')
      if (await changePassword(connection.db, secrets, operator, change, now())) return {}
      await desk.note(request, operator.name, 'password-refused')
      metrics.loginsRefused.inc({ by: 'operator' })
      throw new AppError('operator.refused', {})
    },
  })
}

function addReport(app: FastifyInstance, { connection, now, rates }: Services, desk: Desk): void {
  serve(app, calls.paidQuery, {
    rate: rates.read,
    hasOwnProof: true,
    handle: async (request, { dateNyr }) => {
      await desk.admit(request, 'report', { dateNyr })
      return reportOf(connection.db, askedDay(dateNyr, now()))
    },
  })

  serve(app, calls.revealOrder, {
    rate: rates.change,
    hasOwnProof: true,
    handle: async (request, { dateNyr, at }) => {
      await desk.admit(request, 'reveal', { dateNyr, at })
      return { orderid: await orderAt(connection.db, askedDay(dateNyr, now()), at) }
    },
  })
}

function addInvoices(app: FastifyInstance, { connection, rates }: Services, desk: Desk): void {
  serve(app, calls.listInvoices, {
    rate: rates.read,
    handle: async (request) => {
      await desk.admit(request, 'invoices')
      return invoicesAskedFor(connection.db)
    },
  })

  serve(app, calls.settleInvoice, {
    rate: rates.change,
    hasOwnProof: true,
    handle: async (request, { state }) => {
      const { id } = request.params as { id: string } // named in this call's path
      await desk.admit(request, 'invoice', { id, state })
      await settleInvoice(connection.db, id, state)
      return {}
    },
  })
}

function addJobs(app: FastifyInstance, { connection, now, rates }: Services, desk: Desk): void {
  serve(app, calls.jobsReport, {
    rate: rates.read,
    hasOwnProof: true,
    handle: async (request, asked) => {
      const { tool, code } = asked
      await desk.admit(request, 'jobs', { ...(tool !== undefined && { tool }), ...(code !== undefined && { code }) })
      return recentJobs(connection.db, asked, now())
    },
  })
}

function addRefunds(app: FastifyInstance, { connection, now, rates }: Services, desk: Desk): void {
  serve(app, calls.refundOrder, {
    rate: rates.change,
    hasOwnProof: true,
    handle: async (request, { orderId, reason }) => {
      await desk.admit(request, 'refund', { orderId, reason })
      await refundOrder(connection.db, orderId, reason, now())
      return {}
    },
  })
}
