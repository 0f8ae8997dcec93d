import type { Cookie, CookiesSetDetails, Session } from 'electron'
import { z } from 'zod/mini'
import { originOf, serverAddress } from './address.ts'
import type { Vault } from './vault.ts'
import { DEVICE_HEADER, DEVICE_NAME_HEADER, NO_DEVICE } from '#shared/api/client'

/** The names by which the server hands things out; see server/accounts/session.ts. */
const XSRF_COOKIE = 'XSRF-TOKEN'
const DEVICE_COOKIE = 'device'

const KEPT = 'session'
const KEEP_AFTER_MS = 200

const keptCookie = z.object({
  name: z.string(),
  value: z.string(),
  path: z.string(),
  secure: z.boolean(),
  httpOnly: z.boolean(),
  expirationDate: z.optional(z.number()),
})
const kept = z.object({ server: z.string(), device: z.optional(z.string()), cookies: z.array(keptCookie) })

/** One call, as it is made. */
export interface ServerCall {
  readonly method: string
  readonly path: string
  readonly search?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: ArrayBuffer
  readonly signal?: AbortSignal
}

/**
 * The client's session at its server, which the page never sees: cookies are in a partition of Electron's that is in memory only, and
 * kept sealed; the computer's token, asked for once, goes in a header of its own with every call.
 */
export class ServerSession {
  readonly server: string
  readonly #partition: Session
  readonly #vault: Vault
  readonly #name: string
  #restoring: Promise<void> | undefined
  #device: string | undefined
  #timer: NodeJS.Timeout | undefined
  /** The cookie that is the session. */
  #token: string | undefined
  #hear: () => void = () => {}

  /** `name` is what the computer is called. */
  constructor(server: string, partition: Session, vault: Vault, name: string) {
    this.server = server
    this.#partition = partition
    this.#vault = vault
    this.#name = name
  }

  /** Takes up the session of the last start; calls wait for it. */
  restore(): Promise<void> {
    this.#restoring = this.#restore()
    return this.#restoring
  }

  async #restore(): Promise<void> {
    const before = this.#read()
    this.#device = before?.device
    for (const { expirationDate, ...cookie } of before?.cookies ?? []) {
      const lasting = expirationDate === undefined ? {} : { expirationDate }
      const details: CookiesSetDetails = { url: this.server, sameSite: 'lax', ...cookie, ...lasting }
      // One that has meanwhile run out is none.
      await this.#partition.cookies.set(details).catch(() => {})
    }
    // Calls, and the window of this partition in which people sign in: all of it is on this computer.
    this.#partition.webRequest.onBeforeSendHeaders(({ url, requestHeaders }, answer) => {
      const isServers = originOf(url) === this.server
      answer({ requestHeaders: { ...requestHeaders, ...(isServers && this.#computer) } })
    })
    this.#partition.cookies.on('changed', () => {
      this.#timer ??= setTimeout(() => void this.keep(), KEEP_AFTER_MS)
    })
    await this.#look()
  }

  get #computer(): Readonly<Record<string, string>> {
    return { [DEVICE_HEADER]: this.#device ?? NO_DEVICE, [DEVICE_NAME_HEADER]: encodeURIComponent(this.#name) }
  }

  /** Tells when the session has become another. */
  onChange(hear: () => void): void {
    this.#hear = hear
  }

  /** The computer, by the part of its token that names it, and the session on it; undefined before there are both. */
  get who(): { readonly device: string; readonly session: string } | undefined {
    const [device] = this.#device?.split('.') ?? []
    return device && this.#token ? { device, session: this.#token } : undefined
  }

  /** Calls the server. Rejects where it can't be reached, and where it leads elsewhere. */
  async fetch({ method, path, search, headers, body, signal }: ServerCall): Promise<Response> {
    await this.#restoring
    const xsrf = method === 'GET' || method === 'HEAD' ? undefined : await this.#cookie(XSRF_COOKIE)
    const answer = await this.#partition.fetch(serverAddress(this.server, path, search), {
      method,
      headers: {
        ...headers,
        ...(xsrf && { 'X-XSRF-TOKEN': decodeURIComponent(xsrf.value) }),
      },
      ...(body && { body }),
      ...(signal && { signal }),
      credentials: 'include',
      redirect: 'error',
    })
    await this.#look()
    return answer
  }

  /** Keeps the session as it is now. */
  async keep(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const cookies = (await this.#partition.cookies.get({ url: this.server })).map(keptOf)
    this.#vault.write(KEPT, JSON.stringify({ server: this.server, device: this.#device, cookies }))
  }

  /**
   * Looks at what an answer has set. The server names the computer by a cookie, as it does for browsers; from then on the token goes in
   * the header.
   */
  async #look(): Promise<void> {
    const cookies = await this.#partition.cookies.get({ url: this.server })
    const before = this.#token
    this.#token = cookies.find(isSession)?.value
    const named = cookies.find(({ name }) => name === DEVICE_COOKIE)
    if (named) {
      this.#device = decodeURIComponent(named.value)
      await this.#partition.cookies.remove(this.server, DEVICE_COOKIE)
      await this.keep()
    }
    if (before !== this.#token) this.#hear()
  }

  async #cookie(name: string): Promise<Cookie | undefined> {
    const [cookie] = await this.#partition.cookies.get({ url: this.server, name })
    return cookie
  }

  /** What was kept; of another server nothing, which must not see it. */
  #read(): z.infer<typeof kept> | undefined {
    const text = this.#vault.read(KEPT)
    if (text === undefined) return undefined
    const parsed = kept.safeParse(JSON.parse(text))
    return parsed.success && parsed.data.server === this.server ? parsed.data : undefined
  }
}

/** `__Host-sid` over https. */
const isSession = ({ name }: Cookie): boolean => name === 'sid' || name === '__Host-sid'

const keptOf = ({ name, value, path = '/', secure = false, httpOnly = false, expirationDate }: Cookie): z.infer<typeof keptCookie> => ({
  name,
  value,
  path,
  secure,
  httpOnly,
  ...(expirationDate !== undefined && { expirationDate }),
})
