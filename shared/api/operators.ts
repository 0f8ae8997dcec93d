import { z } from 'zod/mini'
import { defineCall } from './call.ts'

/** Signs an operator in. Fails with `operator.refused`. */
export const operatorLogin = defineCall({
  method: 'POST',
  path: '/operator/login',
  body: z.object({
    name: z.string().check(z.maxLength(60)),
    password: z.string().check(z.maxLength(200)),
    code: z.string().check(z.maxLength(10)),
  }),
  reply: z.object({ name: z.string(), xsrf: z.string() }),
})

/** Who is signed in as an operator. Fails with `operator.required`. */
export const operatorSelf = defineCall({
  method: 'GET',
  path: '/operator/self',
  body: z.undefined(),
  reply: z.object({ name: z.string(), xsrf: z.string() }),
})

/** Signs the operator out. */
export const operatorLogout = defineCall({ method: 'POST', path: '/operator/logout', body: z.unknown(), reply: z.object({}) })

/**
 * Gives the operator another password and ends his other sessions. Fails with `operator.refused` where the present password or the code is
 * wrong, and with `operator.weak-password`.
 */
export const operatorPassword = defineCall({
  method: 'POST',
  path: '/operator/password',
  body: z.object({
    password: z.string().check(z.maxLength(200)),
    next: z.string().check(z.maxLength(200)),
    code: z.string().check(z.maxLength(10)),
  }),
  reply: z.object({}),
})

/** A paid order of the report; `price` in yuan, `orderid` shortened to its last six characters. */
export const paidOrder = z.object({
  date: z.string(),
  time: z.string(),
  price: z.number(),
  channel: z.enum(['biying', '360']),
  orderid: z.string(),
})

/** The paid orders of a day of Asia/Shanghai: month/day/year without padding, today or one of the sixteen days before. Operators only. */
export const paidQuery = defineCall({
  method: 'POST',
  path: '/order/paidquery',
  body: z.object({ dateNyr: z.string().check(z.regex(/^\d{1,2}\/\d{1,2}\/\d{4}$/)) }),
  reply: z.array(paidOrder),
})

/** The whole number of an order of the report, by its place in the day's list; noted in the audit log. */
export const revealOrder = defineCall({
  method: 'POST',
  path: '/operator/reveal',
  body: z.object({ dateNyr: z.string().check(z.regex(/^\d{1,2}\/\d{1,2}\/\d{4}$/)), at: z.number() }),
  reply: z.object({ orderid: z.string() }),
})

/** An invoice somebody asked for. */
export const invoiceView = z.object({
  id: z.string(),
  orderId: z.string(),
  kind: z.enum(['personal', 'company']),
  company: z.string(),
  taxId: z.string(),
  email: z.string(),
  amount: z.number(),
  state: z.enum(['submitted', 'issued', 'rejected']),
  askedAt: z.string(),
})

/** The invoices asked for, newest first. */
export const listInvoices = defineCall({ method: 'GET', path: '/operator/invoices', body: z.undefined(), reply: z.array(invoiceView) })

/** Says what became of an invoice. */
export const settleInvoice = defineCall({
  method: 'POST',
  path: '/operator/invoices/:id',
  body: z.object({ state: z.enum(['issued', 'rejected']) }),
  reply: z.object({}),
})

/** Pays an order back and takes what it gave. Fails with `order.not-found`. */
export const refundOrder = defineCall({
  method: 'POST',
  path: '/operator/refund',
  body: z.object({ orderId: z.string().check(z.maxLength(40)), reason: z.string().check(z.trim(), z.minLength(1), z.maxLength(80)) }),
  reply: z.object({}),
})

/** Jobs that are waited for by one kind of workers: which models do, which write documents, and all others. */
const jobClass = z.enum(['usual', 'document', 'ai'])

/** A job that failed. Neither whose it was nor what its files are called. */
export const failedJob = z.object({
  id: z.string(),
  /** Under which the log tells of it. */
  ref: z.string(),
  tool: z.string(),
  code: z.string(),
  at: z.string(),
  /** From its acceptance to its end, in seconds. */
  seconds: z.number(),
})

/** The jobs accepted within 24 hours, of all tools or one, with all failures or one; who works on them, and what waits now. */
export const jobsReport = defineCall({
  method: 'POST',
  path: '/operator/jobs',
  body: z.object({ tool: z.optional(z.string().check(z.maxLength(40))), code: z.optional(z.string().check(z.maxLength(60))) }),
  reply: z.object({
    /** A job whose files are gone is `expired`, unless it failed. */
    counts: z.array(z.object({ tool: z.string(), state: z.string(), count: z.number() })),
    codes: z.array(z.object({ code: z.string(), count: z.number() })),
    queue: z.array(z.object({ class: jobClass, queued: z.number(), running: z.number(), oldestSeconds: z.number() })),
    workers: z.array(
      z.object({
        host: z.string(),
        sizes: z.record(jobClass, z.number()),
        startedAt: z.string(),
        beatAt: z.string(),
        isAlive: z.boolean(),
      }),
    ),
    /** The latest, at most 100. */
    failures: z.array(failedJob),
  }),
})
