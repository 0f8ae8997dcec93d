import { atom } from 'jotai'
import type { z } from 'zod/mini'
import { transport } from '../platform/http.ts'
import { store } from '../state/store.ts'
import type { Call } from '#shared/api/call'
import { operatorLogin, operatorLogout, operatorSelf } from '#shared/api/operators'
import { CONTROL_MS, send } from '#shared/api/send'
import { toWire } from '#shared/errors/app-error'

/** The server's session is over after as long without a call; then nothing of it stays on the screen. */
const IDLE_MS = 15 * 60_000

export type Operator =
  | { readonly at: 'unknown' }
  | { readonly at: 'out'; readonly note: string }
  | { readonly at: 'in'; readonly name: string; readonly xsrf: string }

/** Who works at this page. */
export const operatorAtom = atom<Operator>({ at: 'unknown' })

const enter = ({ name, xsrf }: { name: string; xsrf: string }): void => store.set(operatorAtom, { at: 'in', name, xsrf })
const leave = (note = ''): void => {
  clearTimeout(idle)
  store.set(operatorAtom, { at: 'out', note })
}

let idle: ReturnType<typeof setTimeout> | undefined

/** Makes a call as the operator. Whoever is none any more is asked to sign in again. */
export async function ask<Body extends z.ZodMiniType, Reply extends z.ZodMiniType>(
  call: Call<Body, Reply>,
  body: z.input<Body>,
  params: Readonly<Record<string, string>> = {},
): Promise<z.output<Reply>> {
  const operator = store.get(operatorAtom)
  clearTimeout(idle)
  idle = setTimeout(() => leave('长时间未操作，请重新登录。'), IDLE_MS)
  try {
    const headers = operator.at === 'in' ? { 'X-XSRF-TOKEN': operator.xsrf } : undefined
    return await send(transport, call, body, { params, deadlineMs: CONTROL_MS, ...(headers && { headers }) })
  } catch (thrown) {
    if (toWire(thrown).code === 'operator.required') leave(operator.at === 'in' ? '登录已过期，请重新登录。' : '')
    throw thrown
  }
}

/** Whether somebody is signed in here already. */
export const readOperator = (): Promise<void> => ask(operatorSelf, undefined).then(enter, () => leave())

/** Rejects with why it was refused. */
export const signIn = (name: string, password: string, code: string): Promise<void> =>
  ask(operatorLogin, { name, password, code }).then(enter)

export async function signOut(): Promise<void> {
  await ask(operatorLogout, {}).catch(() => {})
  leave()
}
