import type { IpcMainInvokeEvent, WebContents } from 'electron'
import { describe, expect, it } from 'vitest'
import { serveIpc, type Handlers } from '#electron/ipc'
import { channels } from '#shared/desktop'
import { AppError } from '#shared/errors/app-error'

type Listener = (event: IpcMainInvokeEvent, ...given: unknown[]) => unknown

const contents = { id: 1 } as unknown as WebContents // only compared
const page = { origin: 'app://qingtu', parent: null, detached: false }

/** The page's way to the handlers, as Electron goes it: what crosses is cloned. */
function serve(handlers: Partial<Handlers>, current: () => WebContents | undefined = () => contents) {
  const listeners = new Map<string, Listener>()
  const logged: unknown[] = []
  const all = new Proxy(handlers, { get: (own, name: keyof Handlers) => own[name] ?? (() => 'answered') })
  serveIpc(
    { handle: (name, listener) => void listeners.set(name, listener) },
    current,
    all as Handlers, // what a test does not say is answered all the same
    (message) => void logged.push(message),
  )
  const ask = async (name: string, request?: unknown, from: object | null = page, sender: unknown = contents): Promise<unknown> => {
    const event = { senderFrame: from, sender } as unknown as IpcMainInvokeEvent // all that is looked at
    return structuredClone(await listeners.get(`ask:${name}`)?.(event, structuredClone(request)))
  }
  return { ask, names: [...listeners.keys()], logged }
}

const refused = { error: { code: 'request.refused', data: {} } }

describe('what the page may ask', () => {
  it('is the contract, and nothing else', () => {
    expect(serve({}).names).toEqual(Object.keys(channels).map((name) => `ask:${name}`))
  })

  it('is answered to the page in the client’s window, also when that is shown again after a crash', async () => {
    expect(await serve({}).ask('files:arrived')).toEqual({ data: 'answered' })
    expect(await serve({}).ask('files:arrived', undefined, { ...page, detached: true }, contents)).toEqual({ data: 'answered' })
  })

  it.each([
    ['a frame in the page', { ...page, parent: page }, contents],
    ['a page of another origin', { ...page, origin: 'https://qingtu.example' }, contents],
    ['an origin that begins like ours', { ...page, origin: 'app://qingtu.example' }, contents],
    ['a document of no origin', { ...page, origin: 'null' }, contents],
    ['a frame that is gone', null, contents],
    ['a frame that was left, in which somebody paid', { ...page, origin: 'https://pay.example', detached: true }, contents],
    ['another window', page, { id: 2 }],
  ])('is not answered to %s', async (_who, from, sender) => {
    expect(await serve({}).ask('files:arrived', undefined, from, sender)).toEqual(refused)
  })

  it('is not answered once the window is closed', async () => {
    expect(await serve({}, () => undefined).ask('files:arrived', undefined, page, undefined)).toEqual(refused)
  })

  it.each([
    ['settings:change', { notify: 'yes' }],
    ['settings:change', { place: 'elsewhere' }],
    ['results:open', { jobId: '1', output: -1 }],
    ['results:open', { jobId: '1', output: 0.5 }],
    ['files:grant', [{ file: 7 }]],
    ['files:keep', { name: 'a.png', bytes: 'text' }],
    ['site:open', { path: 'x'.repeat(201) }],
  ])('is refused to %s that says %j', async (name, request) => {
    expect(await serve({}).ask(name, request)).toEqual({ error: { code: 'request.invalid', data: {} } })
  })

  it('fails with a code, and keeps what was thrown to the log', async () => {
    const { ask, logged } = serve({
      'results:show': () => Promise.reject(new AppError('result.gone', {})),
      'results:open': () => Promise.reject(new Error('C:\\Users\\somebody')),
    })
    const named = { jobId: '1', output: 0 }
    expect(await ask('results:show', named)).toEqual({ error: { code: 'result.gone', data: {} } })
    expect(await ask('results:open', named)).toEqual({ error: { code: 'internal', data: {} } })
    expect(logged).toEqual(['results:open failed'])
  })
})
