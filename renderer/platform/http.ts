import type { Transport } from '#shared/api/send'
import { confirmWxlogin, login, loginByOrder, logout, tourist } from '#shared/api/user'

const cookieOf = (name: string): string => {
  const found = document.cookie.split('; ').find((pair) => pair.startsWith(`${name}=`))
  return decodeURIComponent(found?.slice(name.length + 1) ?? '')
}

/** Waits until calls may be made; what it gives is told what a call was refused with for want of a session. */
export type Gate = () => Promise<(code: string) => void>

let gate: Gate = () => Promise.resolve(() => {})

/** Sets what calls wait for. */
export const guardCalls = (next: Gate): void => void (gate = next)

/** These change who one is: what waits for an identity must not hold them up. */
const ungated: ReadonlySet<string> = new Set([tourist, login, loginByOrder, logout, confirmWxlogin].map(({ path }) => `/api${path}`))

/** Calls the API of the page's own server; the anti-forgery names are the specification's. */
export const transport: Transport = async ({ method, path, body, headers, deadlineMs }) => {
  const refused = ungated.has(path) ? undefined : await gate()
  const response = await fetch(path, {
    method,
    ...(body !== undefined && { body }),
    headers: { 'X-XSRF-TOKEN': cookieOf('XSRF-TOKEN'), ...headers },
    signal: AbortSignal.timeout(Math.min(deadlineMs, 2 ** 31 - 1)),
  })
  const isJson = response.headers.get('content-type')?.includes('json') === true
  const answer: unknown = isJson ? await response.json() : undefined
  if (response.status === 401) refused?.(codeIn(answer))
  return { status: response.status, body: answer }
}

const codeIn = (answer: unknown): string => (typeof answer === 'object' && answer !== null && 'code' in answer ? String(answer.code) : '')
