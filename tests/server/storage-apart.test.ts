import { expect, it } from 'vitest'
import { toSize } from '../fixtures/engine.ts'
import { photo } from '../fixtures/pictures.ts'
import { codeOf, Visitor } from '../fixtures/server.ts'
import { storageApart } from '../fixtures/storage-apart.ts'

const HOUR_MS = 3_600_000

it('files go from the object store as well: at once when asked, and after two hours, also what the store did not take at first', async () => {
  const clock = { aheadMs: 0 }
  await using all = await storageApart({ now: () => Date.now() + clock.aheadMs })
  const visitor = await Visitor.enter(all.url)
  const bytes = await photo(600, 600).jpeg({ quality: 95 }).toBuffer()
  const [first = '', second = ''] = await visitor.start(
    [1, 2].map((n) => ({ name: `${n}.jpg`, bytes })),
    toSize(20),
  )
  for (const id of [first, second]) expect(await visitor.ended(id)).toMatchObject({ state: 'done' })
  expect(await all.stored()).toHaveLength(4)
  await visitor.fetch(`/api/jobs/${first}`, { method: 'DELETE' })
  expect(await all.stored()).toHaveLength(2)
  expect(await all.stored(`r/`)).toEqual([expect.stringContaining(second)])

  // Away in the moment of the second removal, which counts all the same.
  all.network.spoil(() => 'slow-down')
  expect((await visitor.fetch(`/api/jobs/${second}`, { method: 'DELETE' })).status).toBe(200)
  expect(await visitor.job(second)).toMatchObject({ state: 'expired', outputs: [] })
  await expect(all.sweep()).rejects.toMatchObject({ code: 'service.unavailable' })
  expect(await all.stored()).toHaveLength(2)
  all.network.spoil()
  await all.sweep()
  expect(await all.stored()).toEqual([])

  const { client, prefix } = await visitor.storage()
  const { uploadId } = await client.initMultipartUpload(`${prefix}half`)
  await client.uploadPart(`${prefix}half`, uploadId, 1, Buffer.alloc(200_000, 7) as never, 0, 200_000) // its types know files only
  await visitor.upload(bytes)
  expect(await all.stored()).toHaveLength(2)
  clock.aheadMs = 2.1 * HOUR_MS
  await all.sweep()
  expect(await all.stored()).toEqual([])
})

it('a server whose storage is down says so, accepts nothing it could not do, and is itself again when it is back', async () => {
  await using all = await storageApart()
  const visitor = await Visitor.enter(all.url)
  const bytes = await photo(600, 600).jpeg({ quality: 95 }).toBuffer()
  const key = await visitor.upload(bytes)
  const body = { tool: 'compress-image', options: toSize(20), inputs: [{ key, name: 'a.jpg' }] }
  all.network.spoil(() => 'down')
  expect((await visitor.fetch('/readyz')).status).toBe(503)
  expect(await codeOf(await visitor.send('/api/jobs', body))).toEqual([503, 'service.unavailable'])
  expect((await visitor.fetch('/healthz')).status).toBe(200)
  expect(await visitor.read('/api/jobs')).toEqual([])
  all.network.spoil()
  const { jobs } = await visitor.post<{ jobs: { id: string }[] }>('/api/jobs', body)
  expect(await visitor.ended(jobs[0]?.id ?? '')).toMatchObject({ state: 'done' })
})
