import sharp from 'sharp'
import { afterAll, expect, it } from 'vitest'
import { drawnPicture, overlapOf } from '../fixtures/drawn-subjects.ts'
import { listen } from '../fixtures/job-stream.ts'
import { codeOf, testServer, Visitor } from '../fixtures/server.ts'
import { unzip } from '../fixtures/unzip.ts'
import { residentBytes } from '#engine/launch'
import type { JobView } from '#shared/api/jobs'

const MB = 1024 ** 2
/** For a busy machine: ten models' work, two at a time. */
const PATIENCE_MS = 400_000
const TEN = 10
// One for the whole file: its models are loaded once.
const server = await testServer({}, { WORKERS: '2', AI_WORKERS: '2', FREE_AI: String(TEN) })
afterAll(() => server[Symbol.asyncDispose]())

const kettle = async (across = 0.5) => {
  const drawn = await drawnPicture('kettle', 400, 300, { across, top: 0.2, tall: 0.6 })
  const { data, width, height } = drawn
  return {
    ...drawn,
    file: await sharp(data, { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 92 })
      .toBuffer(),
  }
}
const flat = (colour: string): Promise<Buffer> =>
  sharp({ create: { width: 300, height: 300, channels: 3, background: colour } })
    .png()
    .toBuffer()

interface Call {
  readonly key: string
  readonly options?: object
  readonly attachment?: { readonly key: string; readonly name: string }
  readonly tool?: string
}

const bodyOf = ({ key, options = {}, attachment, tool = 'cut-out' }: Call) => ({
  tool,
  options,
  inputs: [{ key, name: '水壶.jpg' }],
  attachment,
})
const submit = async (visitor: Visitor, call: Call): Promise<string> =>
  (await visitor.post<{ jobs: { id: string }[] }>('/api/jobs', bodyOf(call))).jobs[0]?.id ?? ''
const work = async (visitor: Visitor, call: Call): Promise<JobView> => visitor.ended(await submit(visitor, call))
/** What a guest may still cut out today. */
async function aiLeft(visitor: Visitor): Promise<number> {
  const { userid: openid } = await visitor.read<{ userid: string }>('/api/user/tourist')
  return (await visitor.post<{ free: { ai: number } }>('/api/user/cvtnum', { openid })).free.ai
}

const residentSum = (): number => server.pool.pids.reduce((sum, pid) => sum + (residentBytes(pid) ?? 0), 0)
const alphaOf = async (file: Buffer): Promise<Buffer> => sharp(file).ensureAlpha().extractChannel(3).raw().toBuffer()

it('a cut-out is delivered with its parts, which are neither results nor in the zip, and go with the job', async () => {
  const visitor = await Visitor.enter(server.url)
  const other = await Visitor.enter(server.url)
  const { file, alpha } = await kettle()
  const job = await work(visitor, { key: await visitor.upload(file), options: { kind: 'goods' } })
  expect(job).toMatchObject({ state: 'done', outputs: [{ format: 'png', width: 400, height: 300 }] })
  expect(overlapOf(alpha, await alphaOf(await visitor.download(job.outputs[0]?.url ?? '')))).toBeGreaterThan(0.9)

  const { matte = '', foreground = '', source = '' } = job.parts ?? {}
  const answer = await visitor.fetch(matte)
  expect([answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual(['image/png', 'private, max-age=600'])
  const picture = sharp(Buffer.from(await answer.arrayBuffer()))
  expect(await picture.metadata()).toMatchObject({ width: 400, height: 300, channels: 1 })
  expect(overlapOf(alpha, await picture.toColourspace('b-w').raw().toBuffer())).toBeGreaterThan(0.9)
  for (const url of [foreground, source])
    expect(await sharp(await visitor.download(url)).metadata()).toMatchObject({ format: 'webp', width: 400 })

  const { ticket } = await visitor.post<{ ticket: string }>('/api/jobs/zip', { ids: [job.id] })
  expect([...(await unzip(await visitor.download(`/api/jobs/zip/${ticket}`))).keys()]).toEqual([job.outputs[0]?.name])

  expect(await codeOf(await other.fetch(matte))).toEqual([404, 'job.not-found'])
  await visitor.fetch(`/api/jobs/${job.id}`, { method: 'DELETE' })
  for (const url of [matte, foreground, source]) expect(await codeOf(await visitor.fetch(url))).toEqual([410, 'result.expired'])
  expect(await visitor.job(job.id)).not.toHaveProperty('parts')
})

it('a background picture lies behind the subject; another’s, a broken one and none are told of as such', async () => {
  const visitor = await Visitor.enter(server.url)
  const other = await Visitor.enter(server.url)
  const options = { kind: 'goods', format: 'png', background: { by: 'image', fit: 'cover', x: 50, y: 50, imageBlur: 0 } }
  const key = await visitor.upload((await kettle()).file)
  const back = { key: await visitor.upload(await flat('#ff00ff')), name: '背景.png' }
  const job = await work(visitor, { key, options, attachment: back })
  expect(job).toMatchObject({ state: 'done', inputs: [{ key }] })
  expect(job.inputs).toHaveLength(1)
  const result = sharp(await visitor.download(job.outputs[0]?.url ?? ''))
  expect([...(await result.removeAlpha().extract({ left: 3, top: 3, width: 1, height: 1 }).raw().toBuffer())]).toEqual([255, 0, 255])

  const refused = async (attachment?: Call['attachment']) =>
    codeOf(await visitor.send('/api/jobs', bodyOf({ key, options, ...(attachment && { attachment }) })))
  expect(await refused()).toEqual([400, 'options.background-missing'])
  expect(await refused({ key: await other.upload(await flat('#fff')), name: 'b.png' })).toEqual([404, 'options.background-lost'])
  expect(await refused({ key: await visitor.upload(Buffer.from('no picture')), name: 'b.png' })).toEqual([
    422,
    'options.background-unreadable',
  ])
  const half = (await flat('#ff00ff')).subarray(0, 60)
  const broken = await work(visitor, { key, options, attachment: { key: await visitor.upload(half), name: 'b.png' } })
  expect(broken).toMatchObject({ state: 'failed', error: { code: 'options.background-unreadable' } })
})

it(
  'ten at a time are done by two children that stay as large as they are, each waiting where it says; then all of them are free',
  async () => {
    const visitor = await Visitor.enter(server.url)
    const keys = await Promise.all(Array.from({ length: TEN }, async (_, n) => visitor.upload((await kettle(0.3 + n / 25)).file)))
    const body = { tool: 'cut-out', options: {}, inputs: keys.map((key, n) => ({ key, name: `${n}.jpg` })) }
    const { jobs } = await visitor.post<{ jobs: { id: string }[] }>('/api/jobs', body)
    // Once both have a model, and at the end.
    const held = new Map<number, number>()
    const heard = await listen(visitor, (all) => {
      const { size } = new Set(all.flatMap(({ job }) => (job.state === 'done' ? job.id : [])))
      if (!held.has(size)) held.set(size, residentSum())
      return size === TEN
    })
    expect(server.pool.pids).toHaveLength(2)
    expect(held.get(TEN)).toBeLessThan((held.get(4) ?? 0) + 150 * MB)
    for (const { id } of jobs) {
      const own = heard.filter(({ job }) => job.id === id).map(({ job }) => job)
      const shares = own.map(({ progress }) => progress)
      expect(shares).toEqual(shares.toSorted((left, right) => left - right))
      const places = own.filter(({ state }) => state === 'queued').map(({ ahead }) => ahead)
      expect(places).toEqual(places.toSorted((left, right) => right - left))
    }
    expect(heard.filter(({ job }) => job.state === 'queued' && job.ahead > 0).length).toBeGreaterThan(TEN / 2)

    expect(await aiLeft(visitor)).toBe(0)
    const another = await visitor.upload((await kettle(0.77)).file)
    expect(await codeOf(await visitor.send('/api/jobs', bodyOf({ key: another })))).toEqual([402, 'quota.used-up'])
    const again = await work(visitor, { key: keys[0] ?? '', options: { background: { by: 'colour', colour: '#ff0000' } } })
    const first = await visitor.job(jobs[0]?.id ?? '')
    expect(await visitor.download(again.parts?.matte ?? '')).toEqual(await visitor.download(first.parts?.matte ?? ''))
    expect(await aiLeft(visitor)).toBe(0)
  },
  PATIENCE_MS,
)

it('a picture of other bytes under the same key is another picture', async () => {
  const visitor = await Visitor.enter(server.url)
  const key = await visitor.upload((await kettle(0.3)).file)
  await work(visitor, { key })
  const left = await aiLeft(visitor)
  await (await visitor.storage()).client.put(key, (await kettle(0.7)).file)
  const job = await work(visitor, { key })
  expect(overlapOf((await kettle(0.7)).alpha, await alphaOf(await visitor.download(job.outputs[0]?.url ?? '')))).toBeGreaterThan(0.9)
  expect(await aiLeft(visitor)).toBe(left - 1)
})

it('its figures tell of seconds, memory and models', async () => {
  const figures = await (await fetch(`${server.url}/metrics`)).text()
  expect(figures).toMatch(/^qingtu_model\{subject="goods",model="u2netp",tier="default"\} 1$/m)
  expect(figures).toMatch(/^qingtu_job_peak_resident_bytes_count\{tool="cut-out"\} [1-9]/m)
  expect(figures).toMatch(/^qingtu_job_duration_seconds_count\{tool="cut-out"\} [1-9]/m)
})
