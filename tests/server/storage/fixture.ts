import { randomBytes } from 'node:crypto'
import { createServer, request, type IncomingHttpHeaders, type OutgoingHttpHeaders, type RequestListener } from 'node:http'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import OSS from 'ali-oss'
import { onTestFinished } from 'vitest'
import type { IssuedCredentials } from '#server/storage/credentials'
import { AccessKeys } from '#server/storage/local/access-keys'
import { openStorage, type LocalStorageConfig } from '#server/storage/open'

export const bucket = '20230612test'
export const region = 'oss-cn-shanghai'
export const secretKey = randomBytes(32)

/** An answer, read to its end. */
export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** What OSS calls the refusal. */
  readonly code: string | undefined
}

export async function listen(listener: RequestListener) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  // A server that listens on a port has such an address.
  return { server, port: (server.address() as AddressInfo).port }
}

/** The real client of one key at a port of this machine. */
export function connect(port: number, keys: { accessKeyId: string; accessKeySecret: string; stsToken?: string }, more: object = {}): OSS {
  const never = { refreshSTSTokenInterval: 3_600_000, refreshSTSToken: async () => ({ ...keys, stsToken: keys.stsToken ?? '' }) }
  const options = {
    ...keys,
    ...(keys.stsToken && never),
    bucket,
    region,
    endpoint: `http://localhost:${port}`,
    sldEnable: true,
    authorizationV4: true,
  }
  return new OSS({ ...options, ...more })
}

export const keysOf = ({ AccessKeyId, AccessKeySecret, SecurityToken }: IssuedCredentials) => ({
  accessKeyId: AccessKeyId,
  accessKeySecret: AccessKeySecret,
  stsToken: SecurityToken,
})

/** Sends a path as it is: neither normalised nor encoded. */
export function send(
  port: number,
  method: string,
  path: string,
  options: { headers?: OutgoingHttpHeaders | string[]; body?: string | Buffer } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: 'localhost', method, path, headers: options.headers ?? {}, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const body = Buffer.concat(chunks)
        const code = /<Error><Code>(\w+)<\/Code><Message>[^<]+<\/Message><RequestId>\w+<\/RequestId>/.exec(body.toString())?.[1]
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body, code })
      })
    })
    sent.on('error', reject)
    sent.end(options.body)
  })
}

/** The local storage behind a real HTTP server, in a folder that goes with the test. */
export async function openTestStorage(options: Partial<LocalStorageConfig> = {}) {
  const folder = options.folder ?? (await ownFolder())
  let port = 0
  const faults: unknown[] = []
  const storage = await openStorage({
    folder,
    secretKey,
    endpoint: () => `http://localhost:${port}`,
    maxUploadBytes: 256 * 1024 ** 2,
    freeShare: 0,
    report: (cause) => faults.push(cause),
    ...options,
  })
  const requests: { method: string; url: string }[] = []
  const listening = await listen((incoming, response) => {
    requests.push({ method: incoming.method ?? '', url: incoming.url ?? '' })
    if (!storage.handle?.(incoming, response)) response.writeHead(418).end('not the bucket')
  })
  port = listening.port
  const { accessKeyId, accessKeySecret } = new AccessKeys(secretKey)
  const own = { accessKeyId, accessKeySecret }
  const client = connect(port, own)
  return {
    ...storage,
    folder,
    port,
    client,
    own,
    requests,
    faults,
    temporary: async (prefix: string) => connect(port, keysOf(await storage.credentials.issue(prefix))),
    /** A signed path, whatever it says. */
    sign: async (method: string, key: string, queries: object = {}, headers: object = {}, expires = 60) => {
      // The types know some methods only; the client signs any.
      const url = await client.signatureUrlV4(method as 'GET', expires, { queries, headers }, key)
      return url.slice(url.indexOf('/', 'http://'.length))
    },
    temps: () => readdir(join(folder, 'temp')),
    file: async (name: string, bytes: Buffer) => {
      const path = join(folder, name)
      await writeFile(path, bytes)
      return path
    },
  }
}

/** A folder of the test's own, removed with it. */
export async function ownFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'qingtu-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}

/** Waits for what happens elsewhere, without a clock in the assertion. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 5))
}
