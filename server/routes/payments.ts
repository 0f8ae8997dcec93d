import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { receivePayment } from '../billing/credit.ts'
import type { Method } from '../billing/providers/provider.ts'
import { addGateway } from '../billing/sandbox/routes.ts'
import { providerOf } from '../billing/till.ts'
import type { Services } from '../services.ts'
import { AppError, toWire } from '#shared/errors/app-error'
import { errorTexts } from '#shared/errors/codes'

const MOST_BYTES = 64 * 1024

/** What each provider takes for "heard", and what makes it tell again. */
const replies = {
  alipay: {
    heard: (reply: FastifyReply) => reply.type('text/plain').send('success'),
    again: (reply: FastifyReply, status: number) => reply.code(status).type('text/plain').send('fail'),
  },
  wechat: {
    heard: (reply: FastifyReply) => reply.code(204).send(),
    again: (reply: FastifyReply, status: number) => reply.code(status).send({ code: 'FAIL', message: '失败' }),
  },
} as const

/** Where the providers tell of payments, and the gateway that stands in for them in a sandbox. */
export async function addPaymentRoutes(app: FastifyInstance, services: Services): Promise<void> {
  const { log, rates, till } = services
  const report = (error: unknown): void => log.error({ err: error }, 'the sandbox failed')
  const [max, seconds] = rates.notice
  const rateLimit = { max, timeWindow: seconds * 1000 }
  const options = { schema: { hide: true }, config: { hasOwnProof: true, rateLimit } } as const
  if (till.sandbox) await addGateway(app, { open: till.sandbox, rateLimit, report })
  await app.register(async (scope) => {
    // Signatures are over the very bytes.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MOST_BYTES }, (_request, body, done) => done(null, body))
    scope.post('/api/pay/notify/alipay', options, (request, reply) => hear(services, 'alipay', request, reply))
    scope.post('/api/pay/notify/wxpay', options, (request, reply) => hear(services, 'wechat', request, reply))
  })
}

/** Believes a notice only for its signature. Whatever is not heard here is told again, and found by asking. */
async function hear({ till }: Services, method: Method, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { body, headers } = request
  try {
    const provider = await providerOf(till, method)
    const payment = provider.readNotice({ headers, body: typeof body === 'string' ? body : '' }, till.now())
    if (payment) await receivePayment(till, payment)
    return replies[method].heard(reply)
  } catch (error) {
    till.counts.noticesRefused.inc({ method })
    till.log.error({ err: error instanceof AppError ? (error.cause ?? error) : error, method }, 'a notice was not heard')
    return replies[method].again(reply, errorTexts[toWire(error).code].status)
  }
}
