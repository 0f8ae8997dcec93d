import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { listen, openTestStorage, send } from './fixture.ts'
import { OssStore } from '#server/storage/oss-store'
import { openStorage } from '#server/storage/open'

const keys = { accessKeyId: 'id', accessKeySecret: 'secret' }
const place = { region: 'oss-cn-shanghai', bucket: '20230612test' }
const storeAt = (port: number): OssStore =>
  new OssStore(() => ({ ...place, ...keys, endpoint: `http://localhost:${port}`, sldEnable: true }))

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const one of source) all.push(one)
  return all
}

describe('the store', () => {
  test.each([
    ['empty', 0],
    ['small', 1000],
    ['large, hence in parts', 21 * 1024 ** 2],
  ])('keeps a file that is %s', async (_title, bytes) => {
    const { store, file, folder } = await openTestStorage()
    const content = randomBytes(bytes)
    await store.writeFile('r/1/a.png', await file('a', content))
    await expect(store.head('r/1/a.png')).resolves.toMatchObject({ key: 'r/1/a.png', bytes })
    expect((await buffer(await store.read('r/1/a.png'))).equals(content)).toBe(true)
    await expect(readdir(join(folder, 'uploads'))).resolves.toEqual([])
  })

  test.each([0, 1, 2, 3])('tells how large the parts of an unfinished upload are (%i of them)', async (count) => {
    const { store, client } = await openTestStorage()
    const { uploadId } = await client.initMultipartUpload('u/a/half')
    await client.initMultipartUpload('u/b/other')
    for (let n = 1; n <= count; n++) await client.uploadPart('u/a/half', uploadId, n, Buffer.alloc(1000 * n) as never, 0, 1000 * n) // its types know files only
    await expect(collect(store.partSizes('u/a/'))).resolves.toEqual([1000, 2000, 3000].slice(0, count))
  })

  test('reads a range, both ends included, and says what is missing', async () => {
    const { store, file } = await openTestStorage()
    await store.writeFile('a', await file('a', Buffer.from('0123456789')))
    await expect(buffer(await store.read('a', { from: 2, to: 4 }))).resolves.toEqual(Buffer.from('234'))
    await expect(store.head('b')).resolves.toBeUndefined()
    await expect(store.read('b')).rejects.toMatchObject({ code: 'file.missing' })
  })

  test.each([0, 1, 10, 11, 5000])('tells of an object of %i bytes together with its first ten', async (bytes) => {
    const { store, file } = await openTestStorage()
    const content = randomBytes(bytes)
    await store.writeFile('a', await file('a', content))
    const found = await store.peek('a', 10)
    expect(found?.object).toEqual(await store.head('a'))
    expect(found?.start).toEqual(content.subarray(0, 10))
    await expect(store.peek('b', 10)).resolves.toBeUndefined()
  })

  test('lists and removes more than a thousand, the missing included', async () => {
    const { store, client } = await openTestStorage()
    const names = Array.from({ length: 1005 }, (_, at) => `r/1/${String(at).padStart(4, '0')}`)
    for (let at = 0; at < names.length; at += 50)
      await Promise.all(names.slice(at, at + 50).map((name) => client.put(name, Buffer.from('x'))))
    await client.put('r/2/a', Buffer.from('x'))
    const listed = await collect(store.list('r/1/'))
    expect(listed.map(({ key }) => key)).toEqual(names)
    expect(listed[0]).toEqual(await store.head('r/1/0000'))
    await store.remove([...names, 'r/1/none'])
    await expect(collect(store.list(''))).resolves.toMatchObject([{ key: 'r/2/a' }])
    await store.remove([])
  })

  test('aborts the uploads begun before a time, and no other', async () => {
    let ahead = -600_000
    const { store, client } = await openTestStorage({ now: () => Date.now() + ahead })
    await client.initMultipartUpload('u/1/old')
    await client.initMultipartUpload('r/1/old')
    ahead = 0
    await client.initMultipartUpload('u/1/new')
    await expect(store.abortUploadsBefore('u/', Date.now() - 300_000)).resolves.toBe(1)
    await expect(store.abortUploadsBefore('u/', Date.now() - 300_000)).resolves.toBe(0)
    expect((await client.listUploads({})).uploads.map(({ name }) => name)).toEqual(['r/1/old', 'u/1/new'])
  })

  test('goes on with an upload while it aborts others', async () => {
    const { store, client, file } = await openTestStorage()
    const path = await file('a', randomBytes(30 * 1024 ** 2))
    for (const key of ['x/1', 'x/2', 'x/3']) await client.initMultipartUpload(key)
    const [, aborted] = await Promise.all([store.writeFile('a', path), store.abortUploadsBefore('x/', Date.now() + 10_000)])
    expect(aborted).toBe(3)
    await expect(store.head('a')).resolves.toMatchObject({ bytes: 30 * 1024 ** 2 })
  })

  test('says that the disk is full', async () => {
    const { store, file, folder } = await openTestStorage({ measureSpace: async () => ({ freeBytes: 5_000_000, totalBytes: 1e9 }) })
    await expect(store.writeFile('a', await file('a', randomBytes(5_000_001)))).rejects.toMatchObject({ code: 'storage.full' })
    await expect(store.writeFile('a', await file('a', randomBytes(21 * 1024 ** 2)))).rejects.toMatchObject({ code: 'storage.full' })
    await expect(readdir(join(folder, 'uploads'))).resolves.toEqual([])
  })

  test('says that the storage cannot be reached, or has a fault of its own', async () => {
    const { server, port } = await listen((_request, response) => response.writeHead(503).end('<html>'))
    const unavailable = { code: 'service.unavailable' }
    const store = storeAt(port)
    await expect(store.head('a')).rejects.toMatchObject(unavailable)
    await expect(store.read('a')).rejects.toMatchObject(unavailable)
    await expect(collect(store.list('a'))).rejects.toMatchObject(unavailable)
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await expect(store.head('a')).rejects.toMatchObject(unavailable)
  })
})

describe('credentials', () => {
  test('name the place and the end of their time', async () => {
    const { credentials, port } = await openTestStorage({ now: () => Date.UTC(2026, 0, 1) })
    await expect(credentials.issue('u/1/')).resolves.toMatchObject({
      ...place,
      endpoint: `http://localhost:${port}`,
      sldEnable: true,
      Expiration: '2026-01-01T00:15:00.000Z',
      AccessKeyId: expect.stringMatching(/^STS\.\w+$/),
    })
  })
})

test('Aliyun’s storage has no endpoint of its own here', async () => {
  const { handle } = await openStorage({ ...place, ...keys, roleArn: 'acs:ram::1:role/up' })
  expect(handle).toBeUndefined()
})

test('a fault of ours is told to the server, and to the caller only as one', async () => {
  const fault = new Error('a path the caller must not see')
  const { port, sign, faults } = await openTestStorage({ mayStore: () => Promise.reject(fault) })
  const answer = await send(port, 'PUT', await sign('PUT', 'a'), { body: 'x' })
  expect(answer).toMatchObject({ status: 500, code: 'InternalError' })
  expect(answer.body.toString()).not.toContain('path')
  expect(faults).toEqual([fault])
})
