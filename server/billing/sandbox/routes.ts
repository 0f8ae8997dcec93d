import type { FastifyInstance, FastifyRequest } from 'fastify'
import { answerAlipay, billPath, openAlipayPage, type AlipayParameters } from './alipay.ts'
import { billOfAlipay } from './bills.ts'
import type { Gateway } from './gateway.ts'
import { deliverNotices } from './notices.ts'
import { pageHeaders, paymentPage, refusedPage } from './page.ts'
import { paidOn, pay, paymentByToken } from './payments.ts'
import { answerWechat } from './wechat.ts'
import { isSame } from '#server/secrets'
import { AppError } from '#shared/errors/app-error'

/** How the gateway is mounted: keys come with the first call, so they are opened then. */
export interface GatewayMount {
  readonly open: () => Promise<Gateway>
  readonly rateLimit?: { readonly max: number; readonly timeWindow: number }
  readonly report: (error: unknown) => void
}

const textOf = ({ body }: FastifyRequest): string => (typeof body === 'string' ? body : '')
const parametersOf = (request: FastifyRequest): AlipayParameters => ({
  ...Object.fromEntries(new URL(request.url, 'http://sandbox').searchParams),
  ...Object.fromEntries(new URLSearchParams(textOf(request))),
})
const tokenOf = ({ params }: FastifyRequest): string => String((params as { token?: string }).token) // named in the route's path
const originOf = ({ protocol, host }: FastifyRequest): string => `${protocol}://${host}`

/** A gateway's addresses, below /sandbox: both providers' interfaces, and the page on which one pays. Bodies are taken as they come. */
export async function addGateway(app: FastifyInstance, { open, rateLimit, report }: GatewayMount): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 64 * 1024 }, (_request, body, done) => done(null, body))
    const options = { schema: { hide: true }, config: { hasOwnProof: true, ...(rateLimit && { rateLimit }) } } as const
    addPages(scope, { open, report }, options)

    scope.post('/sandbox/alipay/gateway.do', options, async (request, reply) => {
      const text = await answerAlipay(await open(), parametersOf(request), originOf(request))
      return reply.type('text/html; charset=utf-8').send(text)
    })

    scope.get('/sandbox/alipay/bill/:token', options, async (request, reply) => {
      const [gateway, day] = [await open(), tokenOf(request)]
      if (!isSame(request.url, billPath(gateway, day))) throw new AppError('address.unknown', {})
      return reply.type('application/zip').send(await billOfAlipay(await paidOn(gateway.db, 'alipay', day), day))
    })

    scope.route({
      method: ['GET', 'POST'],
      url: '/sandbox/wechat/*',
      ...options,
      handler: async (request, reply) => {
        const { method, url, headers } = request
        const call = { method, url, origin: originOf(request), authorization: headers.authorization, body: textOf(request) }
        const answer = await answerWechat(await open(), call)
        return reply.code(answer.status).headers(answer.headers).send(answer.body)
      },
    })
  })
}

function addPages(scope: FastifyInstance, { open, report }: GatewayMount, options: object): void {
  scope.get('/sandbox/alipay/gateway.do', options, async (request, reply) => {
    const opened = await openAlipayPage(await open(), parametersOf(request))
    if (typeof opened === 'string') return reply.code(400).headers(pageHeaders).send(refusedPage(opened))
    return reply.redirect(`/sandbox/pay/${opened.token}`, 303)
  })

  scope.get('/sandbox/pay/:token', options, async (request, reply) => {
    const gateway = await open()
    const payment = await paymentByToken(gateway.db, tokenOf(request))
    if (!payment) throw new AppError('address.unknown', {})
    return reply.headers(pageHeaders).send(paymentPage(payment, gateway.now()))
  })

  scope.post('/sandbox/pay/:token', options, async (request, reply) => {
    const gateway = await open()
    await pay(gateway.db, tokenOf(request), gateway.now())
    deliverNotices({ ...gateway, open }).catch(report)
    // As it came: decoded, it may hold what no header can.
    return reply.redirect(request.url, 303)
  })
}
