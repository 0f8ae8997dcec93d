import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'drizzle-orm'
import { isNamedDirectly } from '../hosts.ts'
import { isSame } from '../secrets.ts'
import type { Services } from '../services.ts'
import { AppError } from '#shared/errors/app-error'

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

/** For whoever runs the server: alive, able to work, and its figures (on this machine, or with the token). */
export function addHealthRoutes(
  app: FastifyInstance,
  { config, connection, metrics, storage }: Pick<Services, 'config' | 'metrics' | 'storage'> & Partial<Pick<Services, 'connection'>>,
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

  app.get('/readyz', { exposeHeadRoute: true, schema: { hide: true } }, async () => {
    await connection?.db.execute(sql`select 1`)
    await storage.store.head('r/ready')
    return { data: 'ok' }
  })

  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (!mayRead(request)) throw new AppError('address.unknown', {})
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics())
  })
}
