import { originOf, serverAddress } from './address.ts'
import type { ServerSession } from './server-session.ts'
import { shareDevice } from '#shared/api/devices'
import { send, type Transport } from '#shared/api/send'

const DEADLINE_MS = 5000
/** Where the numbers of the site's registration lead. */
const REGISTERS = ['https://beian.miit.gov.cn', 'https://beian.mps.gov.cn', 'https://www.beian.gov.cn']

/** The calls of the API as the main process makes them itself. */
export const transportOf =
  (session: Pick<ServerSession, 'fetch'>): Transport =>
  async ({ method, path, body, headers, deadlineMs }) => {
    const answer = await session.fetch({
      method,
      path,
      headers,
      ...(body !== undefined && { body: bytesOf(body) }),
      signal: AbortSignal.timeout(deadlineMs),
    })
    const isJson = answer.headers.get('content-type')?.includes('json') === true
    return { status: answer.status, body: isJson ? await answer.json() : undefined }
  }

const bytesOf = (text: string): ArrayBuffer => new Uint8Array(new TextEncoder().encode(text)).buffer

/** What the browser may be sent to: the server's own pages, and hosts that were named before; over https, save for this very computer's. */
export function mayOpen(address: string, server: string, others: readonly string[]): boolean {
  const origin = originOf(address)
  if (origin === undefined) return false
  if (origin === server) return true
  return origin.startsWith('https://') && [...REGISTERS, ...others].includes(origin)
}

/** The address of the site that makes a browser count as this computer, for a minute; without the server's word, the plain one. */
export async function sharedAddress(session: ServerSession, path: string): Promise<string> {
  const [, pathname = '/', search = ''] = /^(\/[^?#]*)(\?[^#]*)?/.exec(path) ?? []
  const address = serverAddress(session.server, pathname, search)
  try {
    const { ticket } = await send(transportOf(session), shareDevice, {}, { deadlineMs: DEADLINE_MS })
    return `${address}#computer=${ticket}`
  } catch {
    return address
  }
}
