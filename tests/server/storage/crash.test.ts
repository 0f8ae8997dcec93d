import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connect, openTestStorage, ownFolder, secretKey, until } from './fixture.ts'

const text = Buffer.from('some bytes')

test('a folder left by a killed process is swept when it is opened again, and its objects are there', async () => {
  const { client, port, sign, folder, temps } = await openTestStorage()
  await client.put('a', text)
  const { uploadId } = await client.initMultipartUpload('b')
  const left = request({ port, host: 'localhost', method: 'PUT', path: await sign('PUT', 'a'), headers: { 'content-length': 10_000_000 } })
  left.on('error', () => {})
  left.write(randomBytes(100_000))
  await until(async () => (await temps()).length === 1)
  await mkdir(join(folder, 'uploads', 'F'.repeat(32)))
  const after = await openTestStorage({ folder })
  await expect(after.temps()).resolves.toEqual([])
  await expect(readdir(join(folder, 'uploads'))).resolves.toEqual([uploadId])
  await expect(after.client.get('a')).resolves.toMatchObject({ content: text })
  left.destroy()
})

/** The compiled storage in a process of its own, which says its port. */
const server = `
  import { createServer } from 'node:http'
  import { openStorage } from '${new URL('../../../dist/server/storage/open.js', import.meta.url).href}'
  const [, folder, secret] = process.argv
  const options = { folder, secretKey: Buffer.from(secret, 'hex'), endpoint: () => '', maxUploadBytes: 1e9, freeShare: 0 }
  const { handle } = await openStorage(options)
  const server = createServer(handle).listen(0, () => console.log(server.address().port))
`

test('a process killed at any moment leaves the old object or the new one', async () => {
  const folder = await ownFolder()
  const versions = [1, 2].map((fill) => Buffer.alloc(4_000_000, fill))
  let killedWhileWriting = 0
  for (let turn = 0; turn < 5 || killedWhileWriting === 0; turn++) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', server, folder, secretKey.toString('hex')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const [port]: Buffer[] = await once(child.stdout, 'data')
    const { own } = await openTestStorage()
    const client = connect(Number(port), own)
    await client.put('a', versions[turn % 2])
    const writing = (async () => {
      for (let more = 1; ; more++) await client.put('a', versions[(turn + more) % 2])
    })().catch(() => {})
    await new Promise((resolve) => setTimeout(resolve, 20 + (turn % 6) * 7))
    child.kill('SIGKILL')
    await Promise.all([once(child, 'exit'), writing])
    killedWhileWriting += (await readdir(join(folder, 'temp'))).length
    const after = await openTestStorage({ folder })
    const { content } = await after.client.get('a')
    expect(versions.some((version) => version.equals(content))).toBe(true)
    await expect(after.temps()).resolves.toEqual([])
  }
})
