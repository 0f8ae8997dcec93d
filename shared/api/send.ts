import type { z } from 'zod/mini'
import type { Call } from './call.ts'
import { AppError, fromWire, type WireError } from '#shared/errors/app-error'
import { errorTexts } from '#shared/errors/codes'

/** The specification's request timeout: the deadline of a call that names none, in milliseconds. */
export const DEFAULT_DEADLINE_MS = 12_000_000
/** Deadlines of real calls, in milliseconds: controls, and polls that come again anyhow. */
export const CONTROL_MS = 15_000

/** One request as the platform makes it. */
export interface WireRequest {
  readonly method: string
  readonly path: string
  readonly body: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly deadlineMs: number
}

/** Makes a request; rejects when there was no answer. `body` is the parsed JSON, undefined when there was none. */
export type Transport = (request: WireRequest) => Promise<{ readonly status: number; readonly body: unknown }>

interface Extra {
  /** Values of the path's `:names`. */
  readonly params?: Readonly<Record<string, string>>
  /** What is asked after the path. */
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly deadlineMs?: number
}

/** Makes a call and gives its data. Throws AppError: what the server said, or `network.offline` when it said nothing. */
export async function send<Body extends z.ZodMiniType, Reply extends z.ZodMiniType>(
  transport: Transport,
  call: Call<Body, Reply>,
  body: z.input<Body>,
  { params = {}, query = {}, headers = {}, deadlineMs = DEFAULT_DEADLINE_MS }: Extra = {},
): Promise<z.output<Reply>> {
  const path = `/api${call.path}`.replace(/:(\w+)/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''))
  const search = Object.entries(query).map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  const json = call.method === 'POST' ? JSON.stringify(body ?? {}) : undefined
  const answer = await transport({
    method: call.method,
    path: search.length > 0 ? `${path}?${search.join('&')}` : path,
    body: json,
    headers: { ...(json !== undefined && { 'content-type': 'application/json' }), ...headers },
    deadlineMs,
  }).catch((cause: unknown) => {
    throw new AppError('network.offline', {}, { cause })
  })
  if (answer.status >= 400) throw failureOf(answer.body)
  const parsed = call.reply.safeParse(dataOf(answer.body))
  if (!parsed.success) throw new AppError('internal', {}, { cause: parsed.error })
  return parsed.data
}

const dataOf = (body: unknown): unknown => (typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined)

/** The failure a body tells of; what is none of ours (a proxy's page) counts as the service being away. */
function failureOf(body: unknown): AppError {
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined
  if (typeof code !== 'string' || !Object.hasOwn(errorTexts, code)) return new AppError('service.unavailable', {})
  return fromWire({ code, data: dataOf(body) ?? {} } as WireError) // the server built it from the same table
}
