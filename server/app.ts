import cookie from '@fastify/cookie'
import rateLimit, { normalizeIP } from '@fastify/rate-limit'
import serveStatic from '@fastify/static'
import swagger from '@fastify/swagger'
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { jsonSchemaTransform, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { SessionCookies } from './accounts/session.ts'
import { errorAnswerer } from './errors.ts'
import { securityHeaders } from './headers.ts'
import { connectionRefuser, openHttpServer } from './http-server.ts'
import { addAccountRoutes, addLoginRoutes } from './routes/accounts.ts'
import { addAttributionRoutes } from './routes/attribution.ts'
import { addDeviceRoutes } from './routes/devices.ts'
import { addEventRoute } from './routes/events.ts'
import { addHealthRoutes } from './routes/health.ts'
import { addInvoiceRoutes } from './routes/invoices.ts'
import { addJobRoutes } from './routes/jobs.ts'
import { addLocalJobRoutes } from './routes/local-jobs.ts'
import { addOperatorRoutes } from './routes/operators.ts'
import { addOrderRoutes } from './routes/orders.ts'
import { addPaymentRoutes } from './routes/payments.ts'
import { addResultRoutes } from './routes/results.ts'
import { addSiteRoute } from './routes/site.ts'
import { addUserRoutes } from './routes/user.ts'
import { addWxloginRoutes } from './routes/wxlogin.ts'
import type { Services } from './services.ts'
import { imageOriginsOf } from './site.ts'
import { version } from './version.ts'
import { AppError } from '#shared/errors/app-error'

const BODY_LIMIT_BYTES = 1024 ** 2

/** What is no page to be found by search engines. */
const UNLISTED = /^\/(?:api|callback|paid)(?:[/?]|$)/

/** What answers every process gives are made with. */
type Basics = Pick<Services, 'config' | 'log' | 'metrics' | 'readiness' | 'stallMs' | 'storage'>

/** HTTP without a route: bodies in bounds, failures in their envelope, headers on everything. */
function bareApp(services: Basics, headers: Readonly<Record<string, string>>): FastifyInstance {
  const { config, log, metrics, stallMs, storage } = services
  const answerError = errorAnswerer(metrics)
  const logger: FastifyBaseLogger = log
  const app = fastify({
    loggerInstance: logger,
    // Its own lines hold addresses, whose queries are credentials; see addHeaders for ours.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: config.trustedProxies ?? false,
    // A HEAD that does what its GET does would make guests, use up tickets and open streams; routes for which it means something say so.
    exposeHeadRoutes: false,
    // What comes in over a kept connection while it closes is answered like all else, and the connection ends with that.
    return503OnClosing: false,
    serverFactory: (handler) => openHttpServer(storage, stallMs, handler),
    clientErrorHandler: connectionRefuser(log),
    // No route is reached, and no hook runs.
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply.headers(headers)),
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(answerError)
  addHeaders(app, services, headers)
  return app
}

/** The HTTP side of a process that serves no page and no call: how it is, and the storage where it has one. */
export function buildHealthApp(services: Basics): FastifyInstance {
  const app = bareApp(services, { 'x-content-type-options': 'nosniff' })
  addHealthRoutes(app, services)
  app.setNotFoundHandler(() => {
    throw new AppError('address.unknown', {})
  })
  return app
}

/** The HTTP side of the server: everything but listening. */
export async function buildApp(services: Services): Promise<FastifyInstance> {
  const { config, identities, now, secrets } = services
  const app = bareApp(services, headersOf(services))
  await app.register(cookie)
  const sessions = new SessionCookies({
    db: services.connection.db,
    identities,
    secrets,
    now,
    isHttps: isHttps(services),
    publicOrigin: config.publicUrl && new URL(config.publicUrl).origin,
  })
  sessions.install(app)
  await app.register(rateLimit, {
    global: false,
    hook: 'preHandler',
    // An IPv6 customer has 2^64 addresses, all in one network.
    keyGenerator: ({ caller, ip }) => caller?.identityId ?? normalizeIP(ip),
    errorResponseBuilder: (_request, { ttl }) => new AppError('rate.limited', { seconds: Math.max(1, Math.ceil(ttl / 1000)) }),
  })
  if (config.hasDocs) await addDocs(app)
  addUserRoutes(app, services, sessions)
  addLoginRoutes(app, services, sessions)
  addAccountRoutes(app, services, sessions)
  addDeviceRoutes(app, services, sessions)
  addWxloginRoutes(app, services, sessions)
  addOrderRoutes(app, services)
  await addPaymentRoutes(app, services)
  addJobRoutes(app, services)
  addLocalJobRoutes(app, services)
  addEventRoute(app, services)
  addResultRoutes(app, services)
  addSiteRoute(app, services)
  addAttributionRoutes(app, services)
  addInvoiceRoutes(app, services)
  addOperatorRoutes(app, services, isHttps(services))
  addHealthRoutes(app, services)
  await addPage(app, services)
  return app
}

const isHttps = ({ config }: Services): boolean => config.publicUrl?.startsWith('https:') === true

const frameOf = { real: 'alipay', sandbox: 'own', off: 'none' } as const

function headersOf(services: Services): Readonly<Record<string, string>> {
  const { cloudStorage, payments } = services.config
  const storageOrigin = cloudStorage && `https://${cloudStorage.bucket}.${cloudStorage.region}.aliyuncs.com`
  const imageOrigins = [services.wechatLogin?.avatarOrigin, ...imageOriginsOf(services.site)]
  return securityHeaders({ isHttps: isHttps(services), storageOrigin, imageOrigins, payFrames: frameOf[payments.kind] })
}

function addHeaders(app: FastifyInstance, { metrics, log, readiness }: Basics, headers: Readonly<Record<string, string>>): void {
  let isClosing = false
  app.addHook('preClose', async () => void (isClosing = true))
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers(headers)
    // A kept connection would hold up the end of the server, and a proxy would send the next request over it as it ends.
    if (isClosing || readiness.isDraining) void reply.header('connection', 'close')
    // By the route as well: an address can be written in many ways.
    if ([request.url, request.routeOptions.url].some((url) => url?.startsWith('/api/'))) void reply.header('cache-control', 'no-store')
    if (UNLISTED.test(request.url)) void reply.header('x-robots-tag', 'noindex')
    // Its address holds a ticket.
    if (request.url.startsWith('/callback/')) void reply.header('referrer-policy', 'no-referrer')
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    metrics.requestSeconds.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    // The route's pattern, never the address: queries and tickets are credentials.
    const { caller, ip, method } = request
    log.info({ method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime), ip, by: caller?.identityId }, 'request')
  })
}

async function addDocs(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: { info: { title: '轻图', version } },
    transform: jsonSchemaTransform,
  })
  app.get('/api/docs', { schema: { hide: true } }, async () => app.swagger())
}

/** The built page; its own routes are the browser's, so an unknown address gets the page, and an unknown call an error. */
async function addPage(app: FastifyInstance, { siteFolder }: Services): Promise<void> {
  await app.register(serveStatic, {
    root: siteFolder,
    preCompressed: true,
    setHeaders: (reply, path) => {
      // Built files carry a hash in their names, the page itself does not.
      const isHashed = /[\\/]assets[\\/]/.test(path)
      void reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  app.setNotFoundHandler((request, reply) => {
    const wantsPage = request.method === 'GET' && request.headers.accept?.includes('text/html') === true
    if (!wantsPage || request.url.startsWith('/api/')) throw new AppError('address.unknown', {})
    return reply.sendFile('index.html')
  })
}
