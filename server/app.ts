import { createServer } from 'node:http'
import cookie from '@fastify/cookie'
import rateLimit from '@fastify/rate-limit'
import serveStatic from '@fastify/static'
import swagger from '@fastify/swagger'
import fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { jsonSchemaTransform, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { SessionCookies } from './accounts/session.ts'
import { answerError } from './errors.ts'
import { securityHeaders } from './headers.ts'
import { addEventRoute } from './routes/events.ts'
import { addHealthRoutes } from './routes/health.ts'
import { addJobRoutes } from './routes/jobs.ts'
import { addResultRoutes } from './routes/results.ts'
import { addUserRoutes } from './routes/user.ts'
import type { Services } from './services.ts'
import { AppError } from '#shared/errors/app-error'

const BODY_LIMIT_BYTES = 1024 ** 2

/** The HTTP side of the server: everything but listening. */
export async function buildApp(services: Services): Promise<FastifyInstance> {
  const { config, identities, log, now, secrets, storage } = services
  const logger: FastifyBaseLogger = log
  const app = fastify({
    loggerInstance: logger,
    // Its own lines hold addresses, whose queries are credentials; see addHeaders for ours.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    // The storage answers its own paths before any route: its bodies are streams of up to gigabytes.
    serverFactory: (handler) => {
      const server = createServer((request, response) => {
        if (!storage.handle?.(request, response)) handler(request, response)
      })
      // Whoever reads a body ends it when it stalls; a large one may well take minutes.
      server.requestTimeout = 0
      server.headersTimeout = 15_000
      server.keepAliveTimeout = 15_000
      return server
    },
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(answerError)
  addHeaders(app, services)
  await app.register(cookie)
  const sessions = new SessionCookies({
    identities,
    now,
    xsrfKey: secrets.key('xsrf'),
    isHttps: isHttps(services),
    publicOrigin: config.publicUrl && new URL(config.publicUrl).origin,
  })
  sessions.install(app)
  await app.register(rateLimit, {
    global: false,
    hook: 'preHandler',
    keyGenerator: ({ caller, ip }) => caller?.identityId ?? ip,
    errorResponseBuilder: (_request, { ttl }) => new AppError('rate.limited', { seconds: Math.max(1, Math.ceil(ttl / 1000)) }),
  })
  if (config.hasDocs) await addDocs(app)
  addUserRoutes(app, services, sessions)
  addJobRoutes(app, services)
  addEventRoute(app, services)
  addResultRoutes(app, services)
  addHealthRoutes(app, services)
  await addPage(app, services)
  return app
}

const isHttps = ({ config }: Services): boolean => config.publicUrl?.startsWith('https:') === true

function addHeaders(app: FastifyInstance, services: Services): void {
  const { config, metrics, log } = services
  const storageOrigin = config.cloudStorage && `https://${config.cloudStorage.bucket}.${config.cloudStorage.region}.aliyuncs.com`
  const headers = securityHeaders({ isHttps: isHttps(services), storageOrigin })
  let isClosing = false
  app.addHook('preClose', async () => void (isClosing = true))
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers(headers)
    // A kept connection would hold up the end of the server.
    if (isClosing) void reply.header('connection', 'close')
    if (request.url.startsWith('/api/')) void reply.header('cache-control', 'no-store').header('x-robots-tag', 'noindex')
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    metrics.requestSeconds.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000)
    // The route's pattern, never the address: queries and tickets are credentials.
    log.info({ method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }, 'request')
  })
}

async function addDocs(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: { info: { title: '轻图', version: '1.2.3' } },
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
