import type { LastAnswers } from './last-answers.ts'
import type { Log } from './log.ts'
import type { ServerSession } from './server-session.ts'
import { AppError, toWire } from '#shared/errors/app-error'
import { errorTexts, type ErrorCode } from '#shared/errors/codes'

/** As much as the server takes. */
const MOST_BODY_BYTES = 1024 ** 2
/** Until the server begins to answer; the page's own deadlines are shorter where somebody waits. */
const DEADLINE_MS = 60_000

/** What of a call goes to the server: nothing that tells of the page, whose origin and cookies are none of its business. */
const SENT = ['accept', 'content-type', 'idempotency-key', 'last-event-id']
/** What of an answer goes to the page: no cookies, and no policy that is not this client's. */
const TOLD = ['content-type', 'content-disposition', 'retry-after']
/** Said by what stands before a server that is away. */
const AWAY: ReadonlySet<number> = new Set([502, 503, 504])

/** Answers with a failure of the table of errors. */
export const failed = (code: Extract<ErrorCode, 'address.unknown' | 'request.too-large' | 'service.unavailable' | 'internal'>): Response =>
  Response.json(toWire(new AppError(code, {})), { status: errorTexts[code].status })

/** Passes the page's calls on to the server, and answers for it what the page needs while it is away. */
export class Forwarder {
  readonly #session: Pick<ServerSession, 'fetch'>
  readonly #last: LastAnswers
  readonly #log: Log

  constructor(session: Pick<ServerSession, 'fetch'>, last: LastAnswers, log: Log) {
    this.#session = session
    this.#last = last
    this.#log = log
  }

  async handle(request: Request): Promise<Response> {
    const { pathname: path, search } = new URL(request.url)
    const { method } = request
    const body = method === 'GET' || method === 'HEAD' ? undefined : await request.arrayBuffer()
    if (body && body.byteLength > MOST_BODY_BYTES) return failed('request.too-large')
    const headers = picked(request.headers, SENT)
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), DEADLINE_MS)
    try {
      const signal = AbortSignal.any([deadline.signal, request.signal])
      const answer = await this.#session.fetch({ method, path, search, headers, ...(body && { body }), signal })
      return (AWAY.has(answer.status) && this.#instead(path)) || (await this.#told(path, answer))
    } catch (error) {
      if (!request.signal.aborted) this.#log(`${method} ${path} was not answered`, error)
      // As a browser's page hears it: no answer at all.
      return this.#instead(path) ?? Response.error()
    } finally {
      clearTimeout(timer)
    }
  }

  #instead(path: string): Response | undefined {
    const said = this.#last.say(path)
    return said === undefined ? undefined : new Response(said, { headers: { 'content-type': 'application/json; charset=utf-8' } })
  }

  async #told(path: string, answer: Response): Promise<Response> {
    const { status } = answer
    const headers = picked(answer.headers, TOLD)
    const isHeard = status === 200 && this.#last.isHeard(path)
    if (!isHeard) return new Response(answer.body, { status, headers })
    const text = await answer.text()
    this.#last.hear(path, text)
    return new Response(text, { status, headers })
  }
}

function picked(headers: Headers, names: readonly string[]): Record<string, string> {
  const given = names.map((name) => [name, headers.get(name)] as const)
  return Object.fromEntries(given.flatMap(([name, value]) => (value === null ? [] : [[name, value]])))
}
