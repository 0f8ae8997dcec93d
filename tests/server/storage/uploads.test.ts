import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type OSS from 'ali-oss'
import { describe, expect, test } from 'vitest'
import { openTestStorage } from './fixture.ts'

const PART_BYTES = 100 * 1024

async function uploadParts(client: OSS, key: string, parts: readonly Buffer[]) {
  const { uploadId } = await client.initMultipartUpload(key, { mime: 'image/png' })
  const done: { number: number; etag: string }[] = []
  for (const [at, part] of parts.entries()) {
    const { etag } = await client.uploadPart(key, uploadId, at + 1, part, 0, part.length)
    done.push({ number: at + 1, etag })
  }
  return { uploadId, done, complete: (wanted = done) => client.completeMultipartUpload(key, uploadId, wanted) }
}

const pieces = (...sizes: number[]): Buffer[] => sizes.map((size, at) => Buffer.alloc(size, at + 1))

describe('an upload in parts', () => {
  test('becomes one object with its type and the ETag of its parts, and is no object before', async () => {
    const { client } = await openTestStorage()
    const parts = pieces(PART_BYTES, PART_BYTES, 7)
    const { uploadId, done, complete } = await uploadParts(client, 'a', parts)
    await expect(client.head('a')).rejects.toMatchObject({ status: 404 })
    expect((await client.listV2({})).objects).toEqual([])
    // The types want all three, OSS none.
    const listed = await client.listParts('a', uploadId, { 'max-parts': 2 } as OSS.ListPartsQuery)
    expect(listed).toMatchObject({
      isTruncated: 'true',
      nextPartNumberMarker: '2',
      parts: [{ PartNumber: '1', ETag: done[0]?.etag, Size: String(PART_BYTES) }, { PartNumber: '2' }],
    })
    await complete()
    const sums = parts.map((part) => createHash('md5').update(part).digest())
    const etag = `"${createHash('md5').update(Buffer.concat(sums)).digest('hex').toUpperCase()}-3"`
    const { content, res } = await client.get('a')
    expect(res.headers).toMatchObject({ etag, 'content-type': 'image/png' })
    expect(Buffer.concat(parts).equals(content)).toBe(true)
  })

  test('takes the last version of a part sent twice, and only the parts that are named', async () => {
    const { client } = await openTestStorage()
    const { uploadId, done, complete } = await uploadParts(client, 'a', pieces(PART_BYTES, PART_BYTES, PART_BYTES))
    const again = await client.uploadPart('a', uploadId, 1, Buffer.alloc(PART_BYTES, 9), 0, PART_BYTES)
    await expect(complete()).rejects.toMatchObject({ status: 400, code: 'InvalidPart' })
    await complete([{ number: 1, etag: again.etag }, ...done.slice(2)])
    const content: Buffer = (await client.get('a')).content
    expect(content.equals(Buffer.concat([Buffer.alloc(PART_BYTES, 9), Buffer.alloc(PART_BYTES, 3)]))).toBe(true)
  })

  test('is refused with a part that is missing, or too small before the last; it can be mended then', async () => {
    const { client } = await openTestStorage()
    const { uploadId, done, complete } = await uploadParts(client, 'a', pieces(PART_BYTES, PART_BYTES - 1, 5))
    await expect(complete([...done.slice(0, 1), { number: 4, etag: `"${'A'.repeat(32)}"` }])).rejects.toMatchObject({ code: 'InvalidPart' })
    await expect(complete()).rejects.toMatchObject({ status: 400, code: 'EntityTooSmall' })
    const mended = await client.uploadPart('a', uploadId, 2, Buffer.alloc(PART_BYTES, 2), 0, PART_BYTES)
    await complete(done.map((part) => (part.number === 2 ? { number: 2, etag: mended.etag } : part)))
    await expect(client.head('a')).resolves.toMatchObject({ res: { headers: { 'content-length': String(2 * PART_BYTES + 5) } } })
  })

  test('completed again by a client that lost the answer says the same, also at once, and never takes a newer object', async () => {
    const { client } = await openTestStorage()
    const { complete } = await uploadParts(client, 'a', pieces(PART_BYTES, 5))
    const [first, second] = await Promise.all([complete(), complete()])
    expect(second.etag).toBe(first.etag)
    expect((await complete()).etag).toBe(first.etag)
    await client.put('a', Buffer.from('newer'))
    await expect(complete()).rejects.toMatchObject({ status: 404, code: 'NoSuchUpload' })
    await expect(client.get('a')).resolves.toMatchObject({ content: Buffer.from('newer') })
  })

  test('is gone once aborted, with its parts', async () => {
    const { client, folder, requests } = await openTestStorage()
    const { uploadId, complete } = await uploadParts(client, 'a', pieces(PART_BYTES, 5))
    await client.abortMultipartUpload('a', uploadId)
    await expect(complete()).rejects.toMatchObject({ status: 404, code: 'NoSuchUpload' })
    await expect(client.uploadPart('a', uploadId, 3, Buffer.alloc(9), 0, 9)).rejects.toMatchObject({ status: 404, code: 'NoSuchUpload' })
    await expect(client.abortMultipartUpload('a', uploadId)).rejects.toMatchObject({ status: 404 })
    for (const name of ['uploads', 'temp', 'objects']) await expect(readdir(join(folder, name))).resolves.toEqual([])
    expect(requests.length).toBeGreaterThan(5)
  })

  test('shares one limit among its parts, parallel ones too', async () => {
    const { client, temporary } = await openTestStorage({ maxUploadBytes: 3 * PART_BYTES })
    const begin = async (by: OSS, key: string) => {
      const { uploadId } = await by.initMultipartUpload(key)
      return Promise.allSettled(
        [1, 2, 3, 4, 5].map((number) => by.uploadPart(key, uploadId, number, Buffer.alloc(PART_BYTES), 0, PART_BYTES)),
      )
    }
    const sent = await begin(await temporary('u/1/'), 'u/1/a')
    const refused = sent.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    expect(refused).toHaveLength(2)
    for (const reason of refused) expect(reason).toMatchObject({ status: 400, code: 'EntityTooLarge' })
    // Results may be larger than the files they are made of.
    expect((await begin(client, 'r/1')).map(({ status }) => status)).toEqual(Array(5).fill('fulfilled'))
  })

  test('survives a restart', async () => {
    const { client, folder } = await openTestStorage()
    const { uploadId, done } = await uploadParts(client, 'a', pieces(PART_BYTES, 5))
    const after = await openTestStorage({ folder })
    await after.client.completeMultipartUpload('a', uploadId, done)
    await expect(after.client.head('a')).resolves.toMatchObject({ status: 200 })
  })
})

test('uploads under way are listed by key, page by page', async () => {
  const { client } = await openTestStorage()
  for (const key of ['u/2/a', 'u/1/b', 'u/1/a', 'u/1/a', 'r/1']) await client.initMultipartUpload(key)
  const found: string[] = []
  let markers: object | undefined
  do {
    const page = await client.listUploads({ prefix: 'u/', 'max-uploads': 2, ...markers })
    found.push(...page.uploads.map(({ name }) => name))
    markers = page.isTruncated ? { 'key-marker': page.nextKeyMarker, 'upload-id-marker': page.nextUploadIdMarker } : undefined
  } while (markers)
  expect(found).toEqual(['u/1/a', 'u/1/a', 'u/1/b', 'u/2/a'])
})
