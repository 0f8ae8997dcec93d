import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { afterOf } from './after.ts'
import { ownersOf } from '../accounts/caller.ts'
import { requireCaller } from '../accounts/session.ts'
import type { Services } from '../services.ts'
import { AppError } from '#shared/errors/app-error'

const HEARTBEAT_MS = 15_000
/** An event, not a comment: the page can't see comments, and tells by these whether the stream comes through. */
const HEARTBEAT = 'event: heartbeat\ndata:\n\n'
/** That something of the account changed; what, the page asks. */
const ACCOUNT_NEWS = 'event: account\ndata:\n\n'
/** Streams one identity may hold open; the page shares one among its tabs. */
const STREAMS = 8
const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
}

/**
 * Server-sent events: every change of the caller's jobs, from `Last-Event-ID` or `?after=` on (from the beginning without), and news of the
 * account. A stream ends with its session.
 */
export function addEventRoute(app: FastifyInstance, { accountFeed, feed, metrics, rates }: Services): void {
  const open = new Map<string, number>()
  const closers = new Set<() => void>()
  app.addHook('preClose', async () => {
    for (const close of closers) close()
  })
  const [max, seconds] = rates.read
  app.get('/api/jobs/events', { config: { rateLimit: { max, timeWindow: seconds * 1000 } } }, async (request, reply) => {
    const caller = requireCaller(request)
    const { identityId } = caller
    const streams = open.get(identityId) ?? 0
    if (streams >= STREAMS) throw new AppError('rate.limited', { seconds: 15 })
    reply.hijack()
    const { raw } = reply
    // Who has hung up meanwhile was told so already, and would never be again.
    if (raw.destroyed) return
    open.set(identityId, streams + 1)
    metrics.streamsOpen.inc()
    void reply.headers(STREAM_HEADERS)
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value)
    raw.writeHead(200)
    // Reconnecting at once would only meet a server that is still starting.
    raw.write(`retry: 2000\n\n${HEARTBEAT}`)
    const unsubscribe = feed.subscribe(ownersOf(caller), afterOf(request) ?? 0, (view, change) =>
      write(raw, `${change === undefined ? '' : `id: ${change}\n`}event: job\ndata: ${JSON.stringify(view)}\n\n`),
    )
    const heartbeat = setInterval(() => {
      if (!raw.writableNeedDrain) raw.write(HEARTBEAT)
    }, HEARTBEAT_MS)
    const close = (): void => {
      clearInterval(heartbeat)
      unsubscribe()
      unsubscribeAccount()
      raw.end()
    }
    const unsubscribeAccount = accountFeed.subscribe({
      caller,
      hear: () => raw.writableEnded || raw.write(ACCOUNT_NEWS),
      end: close,
    })
    closers.add(close)
    raw.on('error', () => {}) // it closes, then
    raw.on('close', () => {
      close()
      closers.delete(close)
      metrics.streamsOpen.dec()
      const left = (open.get(identityId) ?? 1) - 1
      if (left > 0) open.set(identityId, left)
      else open.delete(identityId)
    })
  })
}

/** Writes once a reader behind has taken what it was sent. One that takes nothing is dropped as any still connection, and resumes from its last number. */
async function write(raw: ServerResponse, text: string): Promise<void> {
  if (raw.writableNeedDrain) {
    const settled = new AbortController()
    const { signal } = settled
    await Promise.race([once(raw, 'drain', { signal }), once(raw, 'close', { signal })]).finally(() => settled.abort())
  }
  if (!raw.destroyed && !raw.writableEnded) raw.write(text)
}
