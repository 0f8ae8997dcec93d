import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { toSize } from '../fixtures/engine.ts'
import { photo } from '../fixtures/pictures.ts'
import { testServer, Visitor } from '../fixtures/server.ts'

const HOUR_MS = 3_600_000
const picture = (seed = 1): Promise<Buffer> => photo(600, 600, 3, seed).jpeg({ quality: 95 }).toBuffer()

/** Bytes of user files in a server's storage. */
const storedBytes = (folder: string): number => {
  const root = join(folder, 'objects')
  if (!existsSync(root)) return 0
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(root, name)))
    .filter((entry) => entry.isFile() && entry.size > 1000)
    .reduce((sum, { size }) => sum + size, 0)
}

describe('after two hours', () => {
  it('results, uploads and half uploads are gone, and not before', async () => {
    const clock = { aheadMs: 0 }
    await using server = await testServer({ now: () => Date.now() + clock.aheadMs })
    const visitor = await Visitor.enter(server.url)
    const [id = ''] = await visitor.start([{ name: 'a.jpg', bytes: await picture() }], toSize(20))
    const unused = await visitor.upload(await picture(2))
    await visitor.ended(id)
    const { client, prefix } = await visitor.storage()
    const { uploadId } = await client.initMultipartUpload(`${prefix}half`)
    await client.uploadPart(`${prefix}half`, uploadId, 1, Buffer.alloc(200_000, 7), 0, 200_000)

    clock.aheadMs = 1.9 * HOUR_MS
    await server.sweep()
    expect(await visitor.job(id)).toMatchObject({ state: 'done' })
    const before = storedBytes(server.folder)
    expect(before).toBeGreaterThan(200_000)

    clock.aheadMs = 2.1 * HOUR_MS
    await server.sweep()
    expect(await visitor.job(id)).toMatchObject({ state: 'expired', outputs: [] })
    expect(storedBytes(server.folder)).toBe(0)
    const again = await visitor.send('/api/jobs', { tool: 'compress-image', options: toSize(20), inputs: [{ key: unused, name: 'b.jpg' }] })
    expect(await again.json()).toMatchObject({ code: 'upload.missing' })
  })

  it('and a day the jobs themselves are forgotten', async () => {
    const clock = { aheadMs: 0 }
    await using server = await testServer({ now: () => Date.now() + clock.aheadMs })
    const visitor = await Visitor.enter(server.url)
    const [id = ''] = await visitor.start([{ name: 'a.jpg', bytes: await picture() }], toSize(20))
    await visitor.ended(id)
    clock.aheadMs = 3 * HOUR_MS
    await server.sweep()
    clock.aheadMs = 30 * HOUR_MS
    await server.sweep()
    expect((await visitor.fetch(`/api/jobs/${id}`)).status).toBe(404)
  })
})

describe('an upload', () => {
  it('that two jobs use stays until both are removed', async () => {
    await using server = await testServer()
    const visitor = await Visitor.enter(server.url)
    const key = await visitor.upload(await picture())
    const start = async (): Promise<string> => {
      const body = { tool: 'compress-image', options: toSize(20), inputs: [{ key, name: 'a.jpg' }] }
      const { jobs } = await visitor.post<{ jobs: { id: string }[] }>('/api/jobs', body)
      await visitor.ended(jobs[0]?.id ?? '')
      return jobs[0]?.id ?? ''
    }
    const first = await start()
    const second = await start()
    await visitor.fetch(`/api/jobs/${first}`, { method: 'DELETE' })
    expect(storedBytes(server.folder)).toBeGreaterThan(20_000)
    await visitor.fetch(`/api/jobs/${second}`, { method: 'DELETE' })
    expect(storedBytes(server.folder)).toBe(0)
  })
})
