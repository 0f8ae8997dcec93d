import { createServer, STATUS_CODES, type IncomingHttpHeaders, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import { newRef } from './errors.ts'
import type { Storage } from './storage/open.ts'

const HEADERS_MS = 15_000

/** The server below Fastify. The storage answers its own paths before any route: its bodies are streams of up to gigabytes. */
export function openHttpServer(storage: Storage, stallMs: number, handler: RequestListener): Server {
  const server = createServer({ connectionsCheckingInterval: 5_000 }, (request, response) => {
    forgetPorts(request.headers)
    if (!storage.handle?.(request, response)) handler(request, response)
  })
  // A large body may well take minutes, but never stand still: a connection on which nothing moves is closed.
  server.requestTimeout = 0
  server.timeout = stallMs
  server.headersTimeout = HEADERS_MS
  server.keepAliveTimeout = HEADERS_MS
  endUnusedAsIdle(server)
  return server
}

/** Some proxies (IIS, Application Gateway) name the visitor's port as well: every connection would be another visitor to whoever counts them. */
function forgetPorts(headers: IncomingHttpHeaders): void {
  const given = headers['x-forwarded-for']
  if (typeof given === 'string')
    headers['x-forwarded-for'] = given.replace(/(^|[,\s])(?:\[([\da-f:.]+)\]|([\d.]+))(?::\d+)?(?=$|[,\s])/gi, '$1$2$3')
}

/** Browsers and `fetch` open a connection ahead of need. Node takes one that nothing came over for busy, and would wait for it when closing. */
function endUnusedAsIdle(server: Server): void {
  const open = new Set<Socket>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  const closeIdle = server.closeIdleConnections.bind(server)
  server.closeIdleConnections = () => {
    closeIdle()
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy()
  }
}

const statusOf = (code: string | undefined): number =>
  code === 'HPE_HEADER_OVERFLOW' ? 431 : code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400

/** Answers what is no HTTP request, or not in time, in the envelope of every failure. */
export const connectionRefuser = (log: Logger) => (failure: Error & { readonly code?: string }, socket: Socket) => {
  const { code } = failure
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const status = statusOf(code)
  const ref = newRef()
  log.info({ ref, failure: 'request.invalid', route: 'none', reason: code }, 'request refused')
  const body = JSON.stringify({ code: 'request.invalid', data: {}, ref })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    'x-content-type-options: nosniff',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  socket.destroySoon()
}
