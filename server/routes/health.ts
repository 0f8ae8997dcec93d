import type { FastifyInstance, FastifyRequest } from 'fastify'
import { newRef } from '../errors.ts'
import { isNamedDirectly } from '../hosts.ts'
import { isSame } from '../secrets.ts'
import type { Services } from '../services.ts'
import { AppError } from '#shared/errors/app-error'

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

/** For whoever runs the server: alive, able to work, and its figures (on this machine, or with the token). */
export function addHealthRoutes(
  app: FastifyInstance,
  { config, log, metrics, readiness }: Pick<Services, 'config' | 'log' | 'metrics' | 'readiness'>,
): void {
  const mayRead = ({ headers, ip }: FastifyRequest): boolean => {
    const given = headers.authorization?.replace(/^Bearer /, '') ?? ''
    if (config.metricsToken !== undefined) return isSame(given, config.metricsToken)
    // A proxy on this machine passes strangers on; it says so.
    return (
      LOOPBACK.has(ip) && isNamedDirectly(headers.host) && headers['x-forwarded-for'] === undefined && headers['forwarded'] === undefined
    )
  }

  app.get('/healthz', { exposeHeadRoute: true, schema: { hide: true } }, async () => ({ data: 'ok' }))

  app.get('/readyz', { exposeHeadRoute: true, schema: { hide: true } }, async (_request, reply) => {
    const failing = await readiness.failing()
    if (failing.length === 0) return { data: 'ok' }
    const ref = newRef()
    log.warn({ ref, failing }, 'not ready')
    return reply.code(503).header('retry-after', '5').send({ code: 'service.unavailable', data: {}, ref, failing })
  })

  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (!mayRead(request)) throw new AppError('address.unknown', {})
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics())
  })
}
