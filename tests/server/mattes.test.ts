import { afterAll, beforeEach, expect, it } from 'vitest'
import { findingEngine, jpegOf } from '../fixtures/finding-engine.ts'
import { guest } from '../fixtures/server-queue.ts'
import { expireJob } from '#server/jobs/manage'
import { clearFiles } from '#server/jobs/sweep'
import { submitJobs } from '#server/jobs/submit'
import { StoredBytes } from '#server/jobs/usage'

const image = { background: { by: 'image', fit: 'cover', x: 50, y: 50, imageBlur: 0 } }

const engine = await findingEngine()
const { asked, creditsLeft, db, finished, state, submit, work } = engine
beforeEach(engine.reset)
afterAll(() => engine[Symbol.asyncDispose]())

it('a picture is asked about once: what was cut out of it serves again, also another tool, and costs nothing', async () => {
  const first = await work({ options: { kind: 'person' } })
  expect(first.outputs.map(({ part }) => part)).toEqual([undefined, 'matte', 'foreground', 'source'])
  const matte = `matte ${state.calls}`
  await work({ options: { kind: 'person', feather: 3 } })
  await work({ tool: 'id-photo', options: { background: { by: 'colour', colour: '#438edb' } } })
  await work({ options: { kind: 'goods' } })
  expect(asked.map((one) => one.matte)).toEqual([undefined, matte, expect.stringContaining('matte'), undefined])
  expect(await creditsLeft()).toBe(98)
})

it('asked twice before the first is done, a picture is paid for once', async () => {
  const [one] = await submit()
  const [other] = await submit()
  expect(await creditsLeft()).toBe(98)
  await finished(one?.id ?? '')
  await finished(other?.id ?? '')
  expect(await creditsLeft()).toBe(99)
})

it('a matte whose job was removed meanwhile is made anew, and nothing is taken for that', async () => {
  const first = await work()
  const [again] = await submit()
  await clearFiles(
    { db, store: state.store, usage: new StoredBytes(state.store), now: Date.now },
    await expireJob(db, ['a'], first.id, Date.now()),
  )
  // The picture itself stays: a job still needs it.
  expect([...state.objects.keys()].toSorted()).toEqual(['u/a/0', 'u/a/back'])
  expect(await finished(again?.id ?? '')).toMatchObject({ state: 'done' })
  expect(asked.map(({ matte }) => matte)).toEqual([undefined, undefined])
  expect(await creditsLeft()).toBe(99)
})

it('a matte that came with a photo above its limit, for which nothing is taken, makes no other cut-out free', async () => {
  state.note = { kind: 'missed', targetBytes: 1, bestBytes: 2 }
  await work({ tool: 'id-photo', options: { maxKb: 1, background: { by: 'colour', colour: '#438edb' } } })
  expect(await creditsLeft()).toBe(100)
  state.note = undefined
  await work({ options: { kind: 'person' } })
  expect(asked.map(({ matte }) => matte)).toEqual([undefined, undefined])
  expect(await creditsLeft()).toBe(99)
})

it('a matte whose file is gone is made anew', async () => {
  const first = await work()
  state.objects.delete(first.outputs.find(({ part }) => part === 'matte')?.key ?? '')
  expect(await work()).toMatchObject({ state: 'done' })
  expect(asked.map(({ matte }) => matte)).toEqual([undefined, undefined])
})

it('another picture put in the place of the first, as long as it, is no reason for its matte to serve', async () => {
  await work()
  const [promised] = await submit()
  state.objects.set('u/a/0', jpegOf('b picture'))
  expect(await finished(promised?.id ?? '')).toMatchObject({ state: 'failed', error: { code: 'upload.missing' } })
  await work()
  expect(asked.map(({ matte }) => matte)).toEqual([undefined, undefined])
  expect(await creditsLeft()).toBe(98)
})

it('a background goes to the engine beside the picture, and is no picture to be paid for', async () => {
  const attachment = { key: 'u/a/back', name: '海边.jpg' }
  const row = await work({ options: image, attachment })
  expect(asked[0]).toMatchObject({ attachment: jpegOf('a background').toString('latin1'), job: { attachment: { name: '海边.jpg' } } })
  expect(asked[0]?.job.inputs).toHaveLength(1)
  expect(row.inputs.map(({ key, isAttachment }) => [key, isAttachment])).toEqual([
    ['u/a/0', undefined],
    ['u/a/back', true],
  ])
  expect(await creditsLeft()).toBe(99)
  // Without the options that call for it, it is left alone.
  const plain = await work({ attachment })
  expect(plain.inputs.map(({ key }) => key)).toEqual(['u/a/0'])
})

it('a background that is missing, another’s, gone or no picture is told of as the background', async () => {
  state.objects.set('u/b/0', jpegOf('of somebody else'))
  state.objects.set('u/a/text', Buffer.from('no picture at all'))
  const refused = (key?: string) => submit({ options: image, ...(key !== undefined && { attachment: { key, name: 'b.jpg' } }) })
  await expect(refused()).rejects.toMatchObject({ code: 'options.background-missing' })
  await expect(refused('u/b/0')).rejects.toMatchObject({ code: 'options.background-lost' })
  await expect(refused('u/a/none')).rejects.toMatchObject({ code: 'options.background-lost' })
  await expect(refused('u/a/text')).rejects.toMatchObject({ code: 'options.background-unreadable' })
  const [accepted] = await submit({ options: image, attachment: { key: 'u/a/back', name: 'b.jpg' } })
  state.objects.delete('u/a/back')
  expect(await finished(accepted?.id ?? '')).toMatchObject({ state: 'failed', error: { code: 'options.background-lost' } })
  expect(await creditsLeft()).toBe(100)
})

it('strokes are for one picture, and not stored two hundred times', async () => {
  const points = Array.from({ length: 4000 }, (_, n) => 0.1 + n / 1e5)
  const strokes = Array.from({ length: 20 }, () => ({ mode: 'keep', size: 0.1, hardness: 1, points }))
  const call = (count: number) =>
    submitJobs(db, engine.rules(), {
      payer: guest('a'),
      requestKey: `many-${count}`,
      body: { tool: 'cut-out', options: { strokes }, inputs: Array.from({ length: count }, () => ({ key: 'u/a/0', name: 'a.jpg' })) },
    })
  await expect(call(200)).rejects.toMatchObject({ code: 'request.too-large' })
  expect(await call(2)).toHaveLength(2)
})

it('a call under one key is one call with its background', async () => {
  const call = { options: image, attachment: { key: 'u/a/back', name: 'b.jpg' }, requestKey: 'the-same' }
  const first = await submit(call)
  expect(await submit(call)).toEqual(first)
  await expect(submit({ ...call, attachment: { key: 'u/a/0', name: 'b.jpg' } })).rejects.toMatchObject({ code: 'request.invalid' })
})

it('a background stays as long as a job of the same person needs it', async () => {
  const attachment = { key: 'u/a/back', name: 'b.jpg' }
  const [one] = await submit({ options: image, attachment })
  const [other] = await submit({ options: image, attachment })
  const sweepable = { db, store: state.store, usage: new StoredBytes(state.store), now: Date.now }
  await clearFiles(sweepable, await expireJob(db, ['a'], one?.id ?? '', Date.now()))
  expect(state.objects.has('u/a/back')).toBe(true)
  await clearFiles(sweepable, await expireJob(db, ['a'], other?.id ?? '', Date.now()))
  expect([...state.objects.keys()]).toEqual([])
})
