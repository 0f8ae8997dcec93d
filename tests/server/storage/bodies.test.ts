import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request } from 'node:http'
import { connect as connectSocket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openTestStorage, ownFolder, until } from './fixture.ts'

const text = Buffer.from('some bytes')

describe('a body', () => {
  test('larger than an upload may be is refused before it comes, and leaves nothing; the server’s own may be', async () => {
    const { client, temporary, temps } = await openTestStorage({ maxUploadBytes: 1_000_000 })
    const own = await temporary('u/1/')
    await expect(own.put('u/1/a', Buffer.alloc(1_000_001))).rejects.toMatchObject({ status: 400, code: 'EntityTooLarge' })
    await own.put('u/1/b', Buffer.alloc(1_000_000))
    await client.put('r/1', Buffer.alloc(1_000_001))
    await expect(client.head('u/1/b')).resolves.toMatchObject({ status: 200 })
    await expect(client.head('r/1')).resolves.toMatchObject({ status: 200 })
    await expect(client.head('u/1/a')).rejects.toMatchObject({ status: 404 })
    await expect(temps()).resolves.toEqual([])
  })

  test('is refused where its owner has no room', async () => {
    const asked: [string, number][] = []
    const mayStore = async (key: string, bytes: number): Promise<boolean> => asked.push([key, bytes]) > 0 && bytes < 100
    const { temporary, client } = await openTestStorage({ mayStore })
    const own = await temporary('u/1/')
    await own.put('u/1/a', text)
    await expect(own.put('u/1/b', Buffer.alloc(100, 1))).rejects.toMatchObject({ status: 403, code: 'QuotaExceeded' })
    expect(asked).toEqual([
      ['u/1/a', 10],
      ['u/1/b', 100],
    ])
    await expect(client.head('u/1/b')).rejects.toMatchObject({ status: 404 })
  })

  test('cut off leaves neither an object nor a temporary file, nor takes the old one', async () => {
    const { client, port, sign, temps, faults } = await openTestStorage()
    await client.put('a', text)
    for (const key of ['a', 'b']) {
      const cut = request({
        port,
        host: 'localhost',
        method: 'PUT',
        path: await sign('PUT', key),
        headers: { 'content-length': 10_000_000 },
      })
      cut.on('error', () => {})
      cut.write(randomBytes(1_000_000))
      await until(async () => (await temps()).length === 1)
      cut.destroy()
      await until(async () => (await temps()).length === 0)
    }
    await expect(client.get('a')).resolves.toMatchObject({ content: text })
    await expect(client.head('b')).rejects.toMatchObject({ status: 404 })
    expect(faults).toEqual([])
  })

  test('that stands still is cut off, and so is a download nobody reads', async () => {
    const { client, port, sign, temps } = await openTestStorage({ stallMs: 200 })
    const stalled = request({ port, host: 'localhost', method: 'PUT', path: await sign('PUT', 'a'), headers: { 'content-length': 1000 } })
    stalled.write('x')
    await expect(once(stalled, 'response')).rejects.toThrow('socket hang up')
    await until(async () => (await temps()).length === 0)
    await client.put('large', Buffer.alloc(30_000_000, 1))
    const socket = connectSocket(port, 'localhost')
    onTestFinished(() => void socket.destroy())
    socket.pause()
    socket.write(`GET ${await sign('GET', 'large')} HTTP/1.1\r\nhost: localhost\r\n\r\n`)
    await new Promise((resolve) => setTimeout(resolve, 1500))
    let received = 0
    socket
      .on('data', (chunk: Buffer) => (received += chunk.length))
      .on('error', () => {})
      .resume()
    await once(socket, 'close')
    expect(received).toBeLessThan(30_000_000)
  })

  test('of another Content-MD5 than its own is refused', async () => {
    const { client } = await openTestStorage()
    const headers = { 'Content-MD5': createHash('md5').update('other').digest('base64') }
    await expect(client.put('a', text, { headers })).rejects.toMatchObject({ status: 400, code: 'InvalidDigest' })
    await expect(client.head('a')).rejects.toMatchObject({ status: 404 })
  })

  test('of 160 MB passes through without being held', async () => {
    const { client, port, sign } = await openTestStorage()
    const piece = randomBytes(1024 ** 2)
    const count = 160
    const before = process.memoryUsage().rss
    let peak = before
    const put = request({
      port,
      host: 'localhost',
      method: 'PUT',
      path: await sign('PUT', 'a'),
      headers: { 'content-length': count * piece.length },
    })
    const answered = once(put, 'response')
    for (let sent = 0; sent < count; sent++) {
      if (!put.write(piece)) await once(put, 'drain')
      peak = Math.max(peak, process.memoryUsage().rss)
    }
    put.end()
    await answered
    expect(peak - before).toBeLessThan(80 * 1024 ** 2)
    await expect(client.head('a')).resolves.toMatchObject({ res: { headers: { 'content-length': String(count * piece.length) } } })
  })
})

describe('a full disk', () => {
  test('refuses what would leave too little free, and keeps what is there', async () => {
    let freeBytes = 1_000_000
    const measureSpace = async () => ({ freeBytes, totalBytes: 5_000_000 })
    const { client, temps } = await openTestStorage({ freeShare: 0.1, measureSpace })
    await client.put('a', text)
    freeBytes = 500_005
    await expect(client.put('a', Buffer.alloc(10, 1))).rejects.toMatchObject({ status: 507, code: 'StorageFull' })
    await expect(client.initMultipartUpload('b')).resolves.toHaveProperty('uploadId')
    freeBytes = 400_000
    await expect(client.initMultipartUpload('b')).rejects.toMatchObject({ status: 507, code: 'StorageFull' })
    await expect(client.get('a')).resolves.toMatchObject({ content: text })
    await expect(temps()).resolves.toEqual([])
  })

  test('met while writing answers 507, leaves nothing, and the old object as it was', async ({ skip }) => {
    const folder = await ownFolder()
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'none', folder])
    if (status === 0) onTestFinished(() => void spawnSync('umount', ['-l', folder]))
    skip(status !== 0, 'needs to mount a small disk, which takes root on Linux')
    const measureSpace = async () => ({ freeBytes: 1e12, totalBytes: 1e12 })
    const { client, temps, faults } = await openTestStorage({ folder, measureSpace })
    await client.put('a', text)
    for (let turn = 0; turn < 3; turn++)
      await expect(client.put('a', Buffer.alloc(12_000_000, 1))).rejects.toMatchObject({ status: 507, code: 'StorageFull' })
    await expect(client.get('a')).resolves.toMatchObject({ content: text })
    await expect(temps()).resolves.toEqual([])
    await client.put('a', Buffer.alloc(5_000_000, 1))
    expect(faults).toEqual([])
  })
})
