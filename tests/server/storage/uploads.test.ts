import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { connect as connectSocket, createServer, type AddressInfo, type Socket } from 'node:net'
import { join } from 'node:path'
import type OSS from 'ali-oss'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connect, keysOf, openTestStorage } from './fixture.ts'

const PART_BYTES = 100 * 1024
/** A multiple of five. */
const uploadMb = Number(process.env['UPLOAD_TEST_MB'] ?? 40)

/** Passes bytes on to a port and cuts every connection each time so many more have gone up. */
async function cuttingProxy(target: number, cutsAt: readonly number[]): Promise<number> {
  const left = [...cutsAt]
  const sockets = new Set<Socket>()
  let sent = 0
  const server = createServer((near) => {
    const far = connectSocket(target, 'localhost')
    for (const socket of [near, far])
      sockets.add(socket.on('error', () => {}).on('close', () => [near, far].forEach((one) => sockets.delete(one.destroy()))))
    near.on('data', (chunk: Buffer) => {
      sent += chunk.length
      if (sent > (left[0] ?? Infinity)) {
        left.shift()
        for (const socket of sockets) socket.destroy()
      } else if (!far.write(chunk)) near.pause()
    })
    far.on('drain', () => near.resume()).pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  // A server that listens on a port has such an address.
  return (server.address() as AddressInfo).port
}

/** Bytes that look the same nowhere: a random piece, each time with its number in front. */
function generate(bytes: number, pieceBytes: number): Buffer {
  const all = Buffer.alloc(bytes)
  const piece = randomBytes(pieceBytes)
  for (let at = 0; at < bytes; at += pieceBytes) {
    piece.copy(all, at)
    all.writeUInt32LE(at, at)
  }
  return all
}

async function sha256(source: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of source) hash.update(chunk)
  return hash.digest('hex')
}

const partNumbers = (requests: readonly { method: string; url: string }[]): number[] =>
  requests.filter(({ method }) => method === 'PUT').map(({ url }) => Number(/partNumber=(\d+)/.exec(url)?.[1]))

test('an upload cut three times goes on from its checkpoint, sends at most one part a cut again, and arrives whole', async () => {
  const [bytes, partBytes] = [uploadMb * 1024 ** 2, 5 * 1024 ** 2]
  const { client, credentials, port, requests, file, folder } = await openTestStorage()
  const path = await file('source.bin', generate(bytes, 1024 ** 2))
  const proxy = await cuttingProxy(
    port,
    [0.2, 0.5, 0.9].map((share) => share * bytes),
  )
  const browser = connect(proxy, keysOf(await credentials.issue('u/1/')))
  let checkpoint: OSS.Checkpoint | undefined
  let cuts = 0
  for (let isOver = false; !isOver;) {
    const options = {
      partSize: partBytes,
      parallel: 1,
      progress: (_share: number, reached: OSS.Checkpoint) => void (checkpoint = reached ?? checkpoint),
    }
    try {
      await browser.multipartUpload('u/1/source.bin', path, { ...options, ...(checkpoint && { checkpoint }) })
      isOver = true
    } catch (thrown) {
      expect(thrown).toMatchObject({ status: -1 })
      cuts += 1
    }
  }
  expect(cuts).toBe(3)
  const numbers = partNumbers(requests)
  expect(new Set(numbers).size).toBe(bytes / partBytes)
  expect(numbers.length - bytes / partBytes).toBeLessThanOrEqual(3)
  const { stream } = await client.getStream('u/1/source.bin')
  await expect(sha256(stream)).resolves.toBe(await sha256(createReadStream(path)))
  await expect(readdir(join(folder, 'uploads'))).resolves.toEqual([])
  await expect(readdir(join(folder, 'temp'))).resolves.toEqual([])
})

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
    const { client, own, port } = await openTestStorage({ maxObjectBytes: 3 * PART_BYTES })
    const { uploadId } = await client.initMultipartUpload('a')
    const sent = await Promise.allSettled(
      [1, 2, 3, 4, 5].map((number) => connect(port, own).uploadPart('a', uploadId, number, Buffer.alloc(PART_BYTES), 0, PART_BYTES)),
    )
    const refused = sent.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    expect(refused).toHaveLength(2)
    for (const reason of refused) expect(reason).toMatchObject({ status: 400, code: 'EntityTooLarge' })
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
