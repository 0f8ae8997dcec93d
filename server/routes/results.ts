import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Readable } from 'node:stream'
import { z } from 'zod/mini'
import { ownersOf } from '../accounts/caller.ts'
import { requireCaller } from '../accounts/session.ts'
import type { StoredOutput } from '../database/schema.ts'
import { ownJob } from '../jobs/manage.ts'
import { checkResultUrl } from '../jobs/views.ts'
import { streamZip, takeTicket } from '../jobs/zip.ts'
import type { Services } from '../services.ts'
import type { Storage } from '../storage/open.ts'
import { downloadHeaders, rangeOf } from '#shared/downloads'
import { AppError } from '#shared/errors/app-error'
import { formats, isFormatId } from '#shared/formats'

const address = z.object({ id: z.string(), n: z.coerce.number() })
const signed = z.object({ e: z.coerce.number(), s: z.string() })

/** Downloads: one result by its signed address, many as a zip by a ticket. Both need the owner's session as well. */
export function addResultRoutes(app: FastifyInstance, services: Services): void {
  const { connection, now, rates, secrets, storage } = services
  const [max, seconds] = rates.change
  const config = { rateLimit: { max, timeWindow: seconds * 1000 } }

  const resultSchema = { params: address, querystring: signed, hide: true }
  app.get('/f/:id/:n', { config, exposeHeadRoute: true, schema: resultSchema }, async (request, reply) => {
    const owners = ownersOf(requireCaller(request))
    // Checked by this route's schema, which hides their types from here.
    const [{ id, n }, { e, s }] = [request.params as z.output<typeof address>, request.query as z.output<typeof signed>]
    const row = await ownJob(connection.db, owners, id)
    checkResultUrl(secrets.key('result'), id, n, e, s, now())
    const output = row.outputs[n]
    if (!output || !(await storage.store.head(output.key))) throw new AppError('result.expired', {})
    return sendResult(request, reply, services, output)
  })

  app.get('/api/jobs/zip/:ticket', { config, schema: { hide: true } }, async (request, reply) => {
    const owners = ownersOf(requireCaller(request))
    const { ticket } = request.params as { ticket: string } // named in this route's path
    const rows = await takeTicket(connection.db, owners, ticket, now())
    if (rows.every(({ outputs }) => outputs.length === 0)) throw new AppError('result.expired', {})
    void reply.headers(downloadHeaders('轻图.zip', 'application/zip')).header('cache-control', 'no-store')
    return reply.send(streamZip(storage.store, rows))
  })
}

async function sendResult(
  request: FastifyRequest,
  reply: FastifyReply,
  { storage }: Services,
  output: StoredOutput,
): Promise<FastifyReply> {
  const { key, name, bytes, format } = output
  const range = rangeOf(request.headers.range, bytes)
  if (range === 'none') return reply.code(416).header('content-range', `bytes */${bytes}`).send()
  // Before any header: a failure must not come as a download.
  const content = request.method === 'HEAD' ? Readable.from([]) : await readResult(storage, key, range)
  const mime = isFormatId(format) ? formats[format].mime : 'application/octet-stream'
  void reply.headers({ ...downloadHeaders(name, mime), 'accept-ranges': 'bytes', 'cache-control': 'private, max-age=600' })
  if (!range) return reply.header('content-length', bytes).send(content)
  const { from, to } = range
  return reply
    .code(206)
    .headers({ 'content-range': `bytes ${from}-${to}/${bytes}`, 'content-length': to - from + 1 })
    .send(content)
}

/** Throws `result.expired` for one that is gone, removed perhaps in this moment. */
async function readResult(storage: Storage, key: string, range: { from: number; to: number } | undefined): Promise<Readable> {
  try {
    return await storage.store.read(key, range)
  } catch (thrown) {
    throw thrown instanceof AppError && thrown.code === 'file.missing' ? new AppError('result.expired', {}, { cause: thrown }) : thrown
  }
}
