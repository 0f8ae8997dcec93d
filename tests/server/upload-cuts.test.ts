import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type OSS from 'ali-oss'
import { expect, test } from 'vitest'
import { connect, keysOf, openTestStorage } from './storage/fixture.ts'
import { tcpProxy } from '../fixtures/tcp-proxy.ts'

/** A multiple of five. */
const uploadMb = Number(process.env['UPLOAD_TEST_MB'] ?? 40)

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
  await using proxy = await tcpProxy(() => port)
  proxy.cutAfter([0.2, 0.5, 0.9].map((share) => share * bytes))
  const browser = connect(proxy.port, keysOf(await credentials.issue('u/1/')))
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
