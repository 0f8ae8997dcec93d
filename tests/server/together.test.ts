import { describe, expect, test } from 'vitest'
import { Visitor } from '../fixtures/server.ts'
import { sharedServer } from '../fixtures/shared-server.ts'
import { unzip } from '../fixtures/unzip.ts'
import { MAX_FILE_BYTES } from '#shared/api/jobs'

const server = sharedServer()

const files = [
  { name: '一.txt', path: '资料', bytes: Buffer.from('一') },
  { name: '空.txt', path: '资料', bytes: Buffer.alloc(0) },
  { name: '二.bin', path: '资料/二月', bytes: Buffer.alloc(5000, 7) },
]

describe('a tool that takes all files together', () => {
  test('makes one job of them, and one result', async () => {
    const visitor = await Visitor.enter(server().url)
    const ids = await visitor.start(files, {}, 'pack-zip')
    expect(ids).toHaveLength(1)
    const job = await visitor.ended(ids[0] ?? '')
    expect(job).toMatchObject({ state: 'done', inputs: files.map(({ name, path, bytes }) => ({ name, path, bytes: bytes.length })) })
    expect(job.outputs.map(({ name, format }) => [name, format])).toEqual([['资料.zip', 'zip']])
    const inside = await unzip(await visitor.download(job.outputs[0]?.url ?? ''))
    expect([...inside]).toEqual(files.map(({ name, path, bytes }) => [`${path}/${name}`, bytes]))
  })

  test('may make a result larger than any file that may be sent', { timeout: 60_000 }, async () => {
    const visitor = await Visitor.enter(server().url)
    const large = Buffer.alloc(MAX_FILE_BYTES)
    // Named as what is stored as it is: nothing makes it smaller.
    const ids = await visitor.start(
      ['a.zip', 'b.zip'].map((name) => ({ name, bytes: large })),
      {},
      'pack-zip',
    )
    const job = await visitor.ended(ids[0] ?? '')
    expect(job.state).toBe('done')
    expect(job.outputs[0]?.bytes).toBeGreaterThan(2 * MAX_FILE_BYTES)
  })

  test('refuses them all when one is not there, and names no job', async () => {
    const visitor = await Visitor.enter(server().url)
    const inputs = [
      { key: await visitor.upload(Buffer.from('a')), name: 'a.txt' },
      { key: 'nobody/a', name: 'b.txt' },
    ]
    await expect(visitor.post('/api/jobs', { tool: 'pack-zip', options: {}, inputs })).rejects.toThrow('upload.missing')
    expect(await visitor.read('/api/jobs')).toEqual([])
  })

  test('knows a call with a password when it comes again after the job has ended', async () => {
    const visitor = await Visitor.enter(server().url)
    const inputs = [{ key: await visitor.upload(Buffer.from('a')), name: 'a.txt' }]
    const body = { tool: 'pack-zip', options: { password: '机密' }, inputs }
    const headers = { 'idempotency-key': 'the-same-call-again' }
    const call = () => visitor.post<{ jobs: { id: string }[] }>('/api/jobs', body, headers)
    const first = await call()
    await visitor.ended(first.jobs[0]?.id ?? '')
    expect(await call()).toEqual(first)
  })
})
