import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ChannelName, Desktop } from '#shared/desktop'
import { hasClient, openClient, type Client } from '../fixtures/client.ts'
import { testFolder } from '../fixtures/engine.ts'
import { manifestOf } from '../fixtures/update.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const key = publicKey.export({ format: 'jwk' }).x ?? ''

/** Files for whoever asks, by name; they may change meanwhile. A function answers as it likes. */
async function place(files: Record<string, Buffer | RequestListener>) {
  const server = createServer((request, response) => {
    const file = files[new URL(request.url ?? '', 'http://localhost').pathname.slice(1)]
    if (typeof file === 'function') return file(request, response)
    response.writeHead(file ? 200 : 404).end(file)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const close = (): Promise<void> => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(() => resolve()))
  }
  return { url: `http://127.0.0.1:${address.port}`, [Symbol.asyncDispose]: close }
}

/** What lies where updates are: an installer, a manifest of it, and the manifest's signature. */
function release(version: string, installer: Buffer): Record<string, Buffer> {
  const text = Buffer.from(manifestOf(version, installer))
  const signature = Buffer.from(sign(null, text, privateKey).toString('base64'))
  return { 'latest.yml': text, 'latest.yml.sig': signature, [`qingtu-${version}-x64.exe`]: installer }
}

type Question = Extract<ChannelName, 'updates:state' | 'updates:check' | 'updates:download'>

/** The state of updates after a question of the page's. */
const asked = ({ page }: Client, question: Question): Promise<unknown> =>
  page.evaluate(async (name) => {
    // What the preload script puts there.
    const { qingtu } = globalThis as unknown as { qingtu: Desktop<File> }
    const answer = await qingtu.ask(name, undefined)
    return 'data' in answer ? answer.data : answer.error
  }, question)

const sha512 = (bytes: Buffer): string => createHash('sha512').update(bytes).digest('hex')

describe.skipIf(!hasClient)('updates of a running client', () => {
  test('come only unharmed, signed and newer, and only when asked for', async () => {
    await using folder = await testFolder()
    const files: Record<string, Buffer | RequestListener> = {}
    await using server = await place(files)
    const environment = { UPDATES_URL: server.url, UPDATES_KEY: key, XDG_CACHE_HOME: folder.path }
    await using client = await openClient({ server: 'http://127.0.0.1:9', environment })
    await client.page.waitForFunction(() => 'qingtu' in globalThis)
    const pending = join(folder.path, 'qingtu-updater/pending')
    const fetched = (): string[] => (existsSync(pending) ? readdirSync(pending).filter((name) => name.endsWith('.exe')) : [])
    const installer = Buffer.alloc(3_000_000, 'installer')
    const newer = release('9.9.9', installer)
    const found = { at: 'found', version: '9.9.9' }

    expect(await asked(client, 'updates:state'), 'unasked').toEqual({ at: 'idle' })
    expect(await asked(client, 'updates:check'), 'nothing there').toEqual({ at: 'failed' })
    Object.assign(files, { 'latest.yml': (request: IncomingMessage) => request.socket.destroy() })
    expect(await asked(client, 'updates:check'), 'offline').toEqual({ at: 'failed' })
    Object.assign(files, release('1.0.0', installer))
    expect(await asked(client, 'updates:check'), 'an older one').toEqual({ at: 'current' })
    expect(await asked(client, 'updates:download'), 'an older one').toEqual({ at: 'current' })
    Object.assign(files, newer, { 'latest.yml.sig': Buffer.from(sign(null, Buffer.from('another'), privateKey).toString('base64')) })
    expect(await asked(client, 'updates:check'), 'a wrong signature').toEqual({ at: 'failed' })

    const changed = Buffer.from(installer)
    changed[1_000_000] = 0
    Object.assign(files, newer, { 'qingtu-9.9.9-x64.exe': changed })
    expect(await asked(client, 'updates:check')).toEqual(found)
    expect(await asked(client, 'updates:download'), 'a changed installer').toEqual({ at: 'failed' })
    const cut: RequestListener = (_request, response) => {
      response.writeHead(200, { 'content-length': installer.length })
      response.write(installer.subarray(0, 1_000_000), () => response.destroy())
    }
    Object.assign(files, { 'qingtu-9.9.9-x64.exe': cut })
    expect(await asked(client, 'updates:check')).toEqual(found)
    expect(await asked(client, 'updates:download'), 'a cut download').toEqual({ at: 'failed' })
    expect(fetched()).toEqual([])

    Object.assign(files, newer)
    expect(await asked(client, 'updates:check')).toEqual(found)
    expect(fetched(), 'not fetched yet').toEqual([])
    expect(await asked(client, 'updates:download')).toEqual({ at: 'ready', version: '9.9.9' })
    expect(fetched().map((name) => sha512(readFileSync(join(pending, name))))).toEqual([sha512(installer)])
  })
})
