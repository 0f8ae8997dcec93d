import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { serverAddress } from './address.ts'
import { failed } from './forward.ts'
import type { Log } from './log.ts'
import { guards, INERT } from './policy.ts'
import { CLIENT_ORIGIN } from '#shared/desktop'

/** Who answers calls. */
export interface Answering {
  handle(request: Request): Promise<Response>
}

/** Of what the page's origin is made. */
export interface ClientSite {
  /** The built page. */
  readonly siteFolder: string
  /** Licences of what the client is made of; a file beside the packed program. */
  readonly noticesFile: string
  readonly server: string
  /** Jobs and files on this computer. */
  readonly local: Answering
  /** The server. */
  readonly forward: Answering
  /** The page's content security policy, as it is now. */
  readonly policy: () => string
  readonly log: Log
}

const kinds: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.pfb': 'application/octet-stream',
  '.bcmap': 'application/octet-stream',
  '.icc': 'application/octet-stream',
  '.wasm': 'application/wasm',
}

/** Which addresses lead where; the first that fits. */
const LOCAL = /^\/(?:api\/jobs|local)(?:\/|$)/
const SERVERS = /^\/(?:api\/|healthz$)/
/** Operators have a page of their own, on the website. */
const NOBODYS = /^\/(?:api\/operator|paid)(?:\/|$)/
const SANDBOX = /^\/sandbox\/[\w/.-]+$/
/** A picture of the site's, that an operator placed there. */
const PICTURE = /^\/[\w./-]{1,200}\.(?:png|jpe?g|webp)$/

const NOTICES = '/third-party-notices.txt'

/** What answers requests to the page's own origin: the page, what this computer does, and what only the server can. */
export function answerPage(site: ClientSite): (request: Request) => Promise<Response> {
  return async (request) => {
    try {
      const { host, pathname } = new URL(request.url)
      if (`app://${host}` !== CLIENT_ORIGIN || NOBODYS.test(pathname)) return guarded(failed('address.unknown'))
      if (LOCAL.test(pathname)) return guarded(await site.local.handle(request))
      if (SERVERS.test(pathname)) return guarded(await site.forward.handle(request))
      if (request.method !== 'GET' && request.method !== 'HEAD') return guarded(failed('address.unknown'))
      if (SANDBOX.test(pathname)) return lead(site.server, request.url)
      return await serveSite(site, pathname, request)
    } catch (error) {
      site.log('a request of the page failed', error)
      return guarded(failed('internal'))
    }
  }
}

/** Nothing but the page itself is ever a document of this origin. */
function guarded(answer: Response): Response {
  if (answer.type === 'error') return answer
  const headers = new Headers(answer.headers)
  for (const [name, value] of Object.entries({ 'cache-control': 'no-store', ...guards, 'content-security-policy': INERT })) {
    if (name !== 'cache-control' || !headers.has(name)) headers.set(name, value)
  }
  return new Response(answer.body, { status: answer.status, headers })
}

/** A frame goes on to the server itself: none of its pages is of this origin. */
function lead(server: string, address: string): Response {
  const { pathname, search } = new URL(address)
  return new Response(null, { status: 302, headers: { ...guards, location: serverAddress(server, pathname, search) } })
}

async function serveSite(site: ClientSite, pathname: string, request: Request): Promise<Response> {
  if (pathname === NOTICES) {
    const text = await readFile(site.noticesFile).catch(() => undefined)
    return text ? page(site, NOTICES, text) : guarded(failed('address.unknown'))
  }
  const name = fileName(pathname)
  const found = name === undefined ? undefined : await readFile(join(site.siteFolder, name)).catch(() => undefined)
  if (found && name !== undefined) return page(site, name, found)
  if (name === undefined || /^\/(?:assets|pdfjs)\//.test(pathname)) return guarded(failed('address.unknown'))
  if (PICTURE.test(pathname)) return guarded(await site.forward.handle(request))
  // The page's own routes.
  return page(site, 'index.html', await readFile(join(site.siteFolder, 'index.html')))
}

/** The file an address names, below the site's folder; undefined for what could lie anywhere else. */
function fileName(pathname: string): string | undefined {
  let name: string
  try {
    name = decodeURIComponent(pathname).slice(1)
  } catch {
    return undefined
  }
  if (/[\0\\:]/.test(name) || name.split('/').includes('..')) return undefined
  return name === '' ? 'index.html' : name
}

function page(site: ClientSite, name: string, bytes: Uint8Array<ArrayBuffer>): Response {
  const isPage = name.endsWith('.html')
  // A worker is governed by its own script's policy.
  const isScript = /\.m?js$/.test(name)
  return new Response(bytes, {
    headers: {
      ...guards,
      'content-type': kinds[extname(name)] ?? 'application/octet-stream',
      'content-length': String(bytes.length),
      'content-security-policy': isPage || isScript ? site.policy() : INERT,
      'cache-control': 'no-cache',
    },
  })
}
