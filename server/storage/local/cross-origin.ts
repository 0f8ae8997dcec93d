import type { IncomingMessage, ServerResponse } from 'node:http'
import { OssError } from './oss-error.ts'

const isAllowed = ({ headers }: IncomingMessage, origins: readonly string[]): boolean => origins.includes(headers.origin ?? '')

/** Lets a page of an allowed origin read the answer. Our own pages need none of this. */
export function allowOrigin(request: IncomingMessage, response: ServerResponse, origins: readonly string[]): void {
  if (origins.length > 0) response.setHeader('vary', 'Origin')
  if (!isAllowed(request, origins)) return
  response.setHeader('access-control-allow-origin', request.headers.origin ?? '')
  response.setHeader('access-control-expose-headers', 'ETag, x-oss-request-id')
}

export function answerPreflight(request: IncomingMessage, response: ServerResponse, origins: readonly string[]): void {
  if (!isAllowed(request, origins)) throw new OssError('AccessForbidden', 'This CORS request is not allowed.')
  const asked = request.headers['access-control-request-headers']
  response.writeHead(200, {
    'access-control-allow-methods': 'GET, HEAD, PUT, POST, DELETE',
    ...(asked === undefined ? {} : { 'access-control-allow-headers': asked }),
    'access-control-max-age': '600',
    'content-length': '0',
  })
  response.end()
}
