import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { codeOf, testServer, Visitor } from '../fixtures/server.ts'
import type { JobView } from '#shared/api/jobs'
import { MAX_POINTS, MAX_POINTS_IN_ALL } from '#shared/strokes'

const HOUR_MS = 3_600_000
const clock = { aheadMs: 0 }
const server = await testServer({ now: () => Date.now() + clock.aheadMs })
afterAll(() => server[Symbol.asyncDispose]())
const visitor = await Visitor.enter(server.url)

/** A disc that is cut out already: no model is asked, and the job takes a moment. */
const disc = (side = 60): Promise<Buffer> =>
  sharp(
    Buffer.from(`<svg width="${side}" height="${side}"><circle cx="${side / 2}" cy="${side / 2}" r="${side / 3}" fill="#c03020"/></svg>`),
  )
    .png()
    .toBuffer()
const flat = await sharp({ create: { width: 40, height: 30, channels: 3, background: '#00ff00' } })
  .png()
  .toBuffer()
const onImage = { background: { by: 'image', fit: 'cover', x: 50, y: 50, imageBlur: 0 } }
const key = await visitor.upload(await disc())
const bodyOf = (options: object, attachment?: object, tool = 'cut-out') => ({ tool, options, inputs: [{ key, name: 'a.png' }], attachment })
const send = (options: object, attachment?: object, tool?: string) => visitor.send('/api/jobs', bodyOf(options, attachment, tool))
const idOf = async (answer: Response): Promise<string> =>
  ((await answer.json()) as { data: { jobs: { id: string }[] } }).data.jobs[0]?.id ?? '' // the envelope of every success

describe('a background', () => {
  it.each(['ä', '../other/x', '\u0000', 'a//b', '', 'a?uploads', '\ud800', '%2e%2e'])('whose key ends in %j is none', async (rest) => {
    const { prefix } = await visitor.storage()
    expect(await codeOf(await send(onImage, { key: prefix + rest, name: 'b.png' }))).toEqual([404, 'options.background-lost'])
  })

  it('may have any name, and goes with its job', async () => {
    const back = await visitor.upload(flat)
    const inputs = [{ key: await visitor.upload(await disc(66)), name: 'a.png' }]
    const attachment = { key: back, name: '\ud800\u0000/..', path: '\udfff/../..' }
    const id = await idOf(await visitor.send('/api/jobs', { tool: 'cut-out', options: onImage, inputs, attachment }))
    expect(await visitor.ended(id)).toMatchObject({ state: 'done' })
    await visitor.fetch(`/api/jobs/${id}`, { method: 'DELETE' })
    expect(await codeOf(await send(onImage, { key: back, name: 'b.png' }))).toEqual([404, 'options.background-lost'])
  })

  it('given to a tool that takes none, or twice the picture itself, does no harm', async () => {
    const own = await visitor.upload(await disc(70))
    const back = await visitor.upload(flat)
    const inputs = [{ key: own, name: 'a.png' }]
    const compress = {
      tool: 'compress-image',
      options: { goal: { by: 'quality', quality: 50 } },
      inputs,
      attachment: { key: back, name: 'b.png' },
    }
    const { jobs } = await visitor.post<{ jobs: { id: string }[] }>('/api/jobs', compress)
    expect((await visitor.ended(jobs[0]?.id ?? '')).inputs).toHaveLength(1)
    const id = await idOf(
      await visitor.send('/api/jobs', { tool: 'cut-out', options: onImage, inputs, attachment: { key: own, name: 'a.png' } }),
    )
    expect(await visitor.ended(id)).toMatchObject({ state: 'done' })
  })

  it('for two hundred pictures is checked once and serves all, also those that fail', async () => {
    const back = await visitor.upload(flat)
    const own = await visitor.upload(await disc(50))
    const inputs = Array.from({ length: 200 }, (_, n) => ({ key: n < 3 ? own : `${own}-none`, name: `${n}.png` }))
    const body = { tool: 'cut-out', options: onImage, inputs, attachment: { key: back, name: 'b.png' } }
    const { jobs } = await visitor.post<{ jobs: { id: string }[] }>('/api/jobs', body)
    for (const { id } of jobs.slice(0, 3)) expect(await visitor.ended(id)).toMatchObject({ state: 'done' })
    const others = new Set(jobs.slice(3).map(({ id }) => id))
    const failed = (await visitor.read<JobView[]>('/api/jobs')).filter(
      ({ id, error }) => others.has(id) && error?.code === 'upload.missing',
    )
    expect(failed).toHaveLength(197)
  })
})

describe('options', () => {
  const dab = { mode: 'keep', size: 0.1, hardness: 1, points: [0.5, 0.5] }
  it.each([
    ['a number beyond all', '{"feather":1e999}'],
    ['no number', '{"feather":null}'],
    ['a point beyond all', '{"strokes":[{"mode":"keep","size":0.1,"hardness":1,"points":[1e999,0]}]}'],
    ['half a point', '{"strokes":[{"mode":"keep","size":0.1,"hardness":1,"points":[0,0,0]}]}'],
    ['a negative size', '{"strokes":[{"mode":"keep","size":-1,"hardness":1,"points":[0,0]}]}'],
    ['more than is asked', '{"strokes":[{"mode":"keep","size":1,"hardness":1,"points":[0,0],"__proto__":{"a":1}}]}'],
    ['a prototype', '{"__proto__":{"feather":9}}'],
    ['a prototype for a background', '{"background":{"by":"__proto__"}}'],
    ['a constructor for a background', '{"background":{"by":"constructor"}}'],
    ['a text for strokes', '{"strokes":"[]"}'],
    ['a colour with a tail', '{"background":{"by":"colour","colour":"#ffffff\\n"}}'],
  ])('with %s are refused in words', async (_, options) => {
    const body = `{"tool":"cut-out","options":${options},"inputs":[{"key":"${key}","name":"a.png"}]}`
    const response = await visitor.fetch('/api/jobs', { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    expect([400, 422]).toContain(response.status)
    expect((await codeOf(response))[1]).toMatch(/^(options|request)\./)
  })

  it('with as many strokes as an editor can make are taken', async () => {
    const points = Array.from({ length: 2 * MAX_POINTS }, (_, n) => -0.00001 - ((n * 7919) % 90000) / 1e5)
    const strokes = Array.from({ length: MAX_POINTS_IN_ALL / MAX_POINTS }, () => ({ ...dab, points }))
    const id = await idOf(await send({ strokes: [...strokes.slice(1), dab] }))
    expect(await visitor.ended(id)).toMatchObject({ state: 'done' })
  })
})

describe('the address of a part', () => {
  it('is good as it is given, for its job, its number and its time only', async () => {
    const job = await visitor.ended(await idOf(await send({})))
    const url = new URL(job.parts?.matte ?? '', server.url)
    const at = (change: (address: URL) => void): Promise<[number, string]> => {
      const changed = new URL(url)
      change(changed)
      return visitor.fetch(changed.pathname + changed.search).then(codeOf)
    }
    const refused = [403, 'request.refused']
    expect(await at((one) => (one.pathname = `/f/${job.id}/2`))).toEqual(refused)
    expect(await at((one) => one.searchParams.set('e', String(Number(one.searchParams.get('e')) + 60)))).toEqual(refused)
    expect(await at((one) => one.searchParams.set('s', ''))).toEqual(refused)
    for (const n of ['-1', '1e99', 'NaN', '1.5', '__proto__'])
      expect((await at((one) => (one.pathname = `/f/${job.id}/${n}`)))[0]).toBeLessThan(500)
    clock.aheadMs = HOUR_MS / 3
    expect(await at(() => {})).toEqual([410, 'result.expired'])
    clock.aheadMs = 0
    expect((await visitor.fetch(url.pathname + url.search)).status).toBe(200)
  })
})

it('a job whose picture’s first job is removed meanwhile comes to its end', async () => {
  const own = await visitor.upload(await disc(80))
  const body = (colour: string) => ({
    tool: 'cut-out',
    options: { background: { by: 'colour', colour } },
    inputs: [{ key: own, name: 'a.png' }],
  })
  const first = await visitor.ended(await idOf(await visitor.send('/api/jobs', body('#ff0000'))))
  const ids = await Promise.all(
    ['#00ff00', '#0000ff', '#ffff00'].map(async (colour) => idOf(await visitor.send('/api/jobs', body(colour)))),
  )
  await visitor.fetch(`/api/jobs/${first.id}`, { method: 'DELETE' })
  for (const id of ids) expect(await visitor.ended(id)).toMatchObject({ state: 'done' })
})

it('a picture’s metadata is in none of its files', async () => {
  const source = await sharp(await disc(64))
    .withExif({ IFD0: { Make: 'SECRETCAM' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '31/1 14/1 0/1' } })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">SECRETCAM</x:xmpmeta>')
    .png()
    .toBuffer()
  expect(source.includes('SECRETCAM')).toBe(true)
  const inputs = [{ key: await visitor.upload(source), name: 'a.png' }]
  for (const format of ['png', 'webp', 'jpeg']) {
    const options = { format, background: { by: 'colour', colour: '#ffffff' } }
    const job = await visitor.ended(await idOf(await visitor.send('/api/jobs', { tool: 'cut-out', options, inputs })))
    const { matte = '', foreground = '', source: preview = '' } = job.parts ?? {}
    for (const url of [job.outputs[0]?.url ?? '', matte, foreground, preview]) {
      const file = await visitor.download(url)
      expect(file.includes('SECRETCAM')).toBe(false)
      const { exif, xmp, iptc, icc } = await sharp(file).metadata()
      expect([exif, xmp, iptc, icc]).toEqual([undefined, undefined, undefined, undefined])
    }
  }
})
