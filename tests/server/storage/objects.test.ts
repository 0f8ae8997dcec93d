import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openTestStorage, send } from './fixture.ts'

const text = Buffer.from('some bytes')

describe('an object', () => {
  test('comes back as it was put, with its type, its ETag and its metadata, as a download', async () => {
    const { client, port, sign } = await openTestStorage()
    const meta: object = { origin: 'camera', author: 'é' }
    await client.put('u/1/photo.jpg', text, {
      headers: Object.fromEntries(Object.entries(meta).map(([name, value]) => [`x-oss-meta-${name}`, value])),
    })
    const etag = `"${createHash('md5').update(text).digest('hex').toUpperCase()}"`
    const head = await client.head('u/1/photo.jpg')
    expect(head).toMatchObject({ status: 200, meta, res: { headers: { 'content-length': '10', 'content-type': 'image/jpeg', etag } } })
    await expect(client.get('u/1/photo.jpg')).resolves.toMatchObject({ content: text, res: { headers: { etag } } })
    const { headers } = await send(port, 'GET', await sign('GET', 'u/1/photo.jpg'))
    expect(headers).toMatchObject({ 'content-disposition': 'attachment', 'x-content-type-options': 'nosniff', 'accept-ranges': 'bytes' })
  })

  test('may be empty, large metadata or not', async () => {
    const { client } = await openTestStorage()
    const note = 'x'.repeat(6000)
    await client.put('empty', Buffer.alloc(0), { headers: { 'x-oss-meta-note': note } })
    await expect(client.head('empty')).resolves.toMatchObject({ meta: { note }, res: { headers: { 'content-length': '0' } } })
    await expect(client.get('empty')).resolves.toMatchObject({ content: Buffer.alloc(0) })
  })

  test.each([
    ['bytes=2-5', 206, 'me b'],
    ['bytes=5-', 206, 'bytes'],
    ['bytes=-3', 206, 'tes'],
    ['bytes=0-999', 206, 'some bytes'],
    ['bytes=-999', 206, 'some bytes'],
    ['bytes=10-', 416, undefined],
    ['bytes=-0', 416, undefined],
    ['bytes=0-1,4-5', 200, 'some bytes'],
    ['lines=1-2', 200, 'some bytes'],
    ['bytes=x', 200, 'some bytes'],
  ])('asked for as %s answers %i', async (range, status, expected) => {
    const { client, port, sign } = await openTestStorage()
    await client.put('a', text)
    const answer = await send(port, 'GET', await sign('GET', 'a'), { headers: { range } })
    expect(answer.status).toBe(status)
    if (expected === undefined) expect(answer.code).toBe('InvalidRange')
    else expect(answer.body.toString()).toBe(expected)
  })

  test('is sent whole to a download that resumes another version of it', async () => {
    const { client, port, sign } = await openTestStorage()
    await client.put('a', text)
    const path = await sign('GET', 'a')
    const { etag } = (await send(port, 'GET', path)).headers
    const resumed = { range: 'bytes=5-', 'if-range': etag }
    await expect(send(port, 'GET', path, { headers: resumed })).resolves.toMatchObject({ status: 206 })
    await client.put('a', Buffer.from('OTHER BYTES'))
    await expect(send(port, 'GET', path, { headers: resumed })).resolves.toMatchObject({ status: 200, body: Buffer.from('OTHER BYTES') })
  })

  test('is the old or the new while it is replaced again and again, never a mixture', async () => {
    const { client } = await openTestStorage()
    const versions = [0, 1].map((fill) => Buffer.alloc(3_000_000, fill))
    await client.put('a', versions[0])
    const progress = { isOver: false }
    const replacing = (async () => {
      for (let turn = 1; turn <= 20; turn++) await client.put('a', versions[turn % 2])
      progress.isOver = true
    })()
    const seen = new Set<number>()
    while (!progress.isOver) {
      const content: Buffer = (await client.get('a')).content
      expect(content.length).toBe(3_000_000)
      expect(content.equals(Buffer.alloc(3_000_000, content[0]))).toBe(true)
      seen.add(content[0] ?? -1)
    }
    await replacing
    expect([...seen].toSorted()).toEqual([0, 1])
  })

  test('is gone once deleted, alone or with others, and the missing are no failure', async () => {
    const { client, folder } = await openTestStorage()
    for (const key of ['u/1/a', 'u/1/b/c', 'u/1/b', 'd']) await client.put(key, text)
    await expect(client.delete('u/1/a')).resolves.toMatchObject({ res: { status: 204 } })
    await client.delete('u/1/a')
    const { deleted } = await client.deleteMulti(['u/1/b/c', 'd', 'never/was'])
    expect(deleted).toHaveLength(3)
    expect((await client.listV2({})).objects.map(({ name }) => name)).toEqual(['u/1/b'])
    await client.deleteMulti(['u/1/b'], { quiet: true })
    await expect(readdir(join(folder, 'objects'))).resolves.toEqual([])
  })
})

describe('a listing', () => {
  const keys = ['A', 'a', 'a-b', 'a.b', 'a/b', 'a/b/c', 'a/B', 'a0', 'aux', 'con.txt', 'u/1/x', 'u/10/x', 'u/2/x.', 'u/2/_x', 'u/2/x_y']

  test('is in the order of the keys’ bytes, page by page', async () => {
    const { client } = await openTestStorage()
    for (const key of keys.toReversed()) await client.put(key, text)
    const found: string[] = []
    let token: string | undefined
    do {
      const page = await client.listV2({ 'max-keys': 4, ...(token && { 'continuation-token': token }) })
      expect(page.objects.length).toBeLessThanOrEqual(4)
      found.push(...page.objects.map(({ name }) => name))
      token = page.nextContinuationToken
    } while (token)
    expect(found).toEqual(keys.toSorted())
  })

  test.each([['a'], ['a/'], ['a/b'], ['u/'], ['u/1'], ['u/2/x'], ['none/'], ['A'], ['..'], ['a\0'], ['a//']])(
    'keeps to its prefix %j',
    async (prefix) => {
      const { client } = await openTestStorage()
      for (const key of keys) await client.put(key, text)
      const { objects } = await client.listV2({ prefix, 'max-keys': 1000 })
      expect(objects.map(({ name }) => name)).toEqual(keys.filter((key) => key.startsWith(prefix)).toSorted())
    },
  )

  test('starts after a key', async () => {
    const { client } = await openTestStorage()
    for (const key of keys) await client.put(key, text)
    for (const after of ['a/b', 'a/', 'u/1', 'zzz']) {
      const { objects } = await client.listV2({ 'start-after': after })
      expect(objects.map(({ name }) => name)).toEqual(keys.filter((key) => key > after).toSorted())
    }
  })
})
