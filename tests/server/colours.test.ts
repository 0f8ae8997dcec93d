import { afterAll, beforeEach, expect, it } from 'vitest'
import { findingEngine, jpegOf, type AskedCall } from '../fixtures/finding-engine.ts'
import { expireJob } from '#server/jobs/manage'
import { clearFiles } from '#server/jobs/sweep'
import { StoredBytes } from '#server/jobs/usage'

const engine = await findingEngine()
const { asked, creditsLeft, db, finished, state } = engine
beforeEach(engine.reset)
afterAll(() => engine[Symbol.asyncDispose]())

const HINTS = [{ colour: '#4466aa', size: 0.1, points: [0.5, 0.5] }]
const call = (options: object = {}, more: Pick<AskedCall, 'attachment'> = {}): AskedCall => ({ tool: 'colourize', options, ...more })
const submit = (...given: Parameters<typeof call>) => engine.submit(call(...given))
const work = (...given: Parameters<typeof call>) => engine.work(call(...given))
const chromas = () => asked.map(({ chroma }) => chroma)
const byReference = (key = 'u/a/back') => [{ colours: { by: 'reference' } }, { attachment: { key, name: '参考.jpg' } }] as const

it('a photo is coloured once: hints and strength take the chroma that was found, and cost nothing', async () => {
  const first = await work()
  expect(first.outputs.map(({ part }) => part)).toEqual([undefined, 'chroma', 'source'])
  const chroma = `chroma ${state.calls}`
  await work({ hints: HINTS })
  await work({ hints: HINTS, strength: { by: 'manual', amount: 80 } })
  expect(chromas()).toEqual([undefined, chroma, expect.stringContaining('chroma')])
  expect(await creditsLeft()).toBe(99)
})

it('asked twice before the first is done, a photo is paid for once', async () => {
  const [one] = await submit()
  const [other] = await submit({ hints: HINTS })
  expect(await creditsLeft()).toBe(98)
  await finished(one?.id ?? '')
  await finished(other?.id ?? '')
  expect(await creditsLeft()).toBe(99)
})

it('colours from elsewhere are others; those of the same reference photo are the same', async () => {
  await work()
  await work(...byReference())
  const chroma = `chroma ${state.calls}`
  await work({ ...byReference()[0], hints: HINTS }, byReference()[1])
  expect(chromas()).toEqual([undefined, undefined, chroma])
  expect(await creditsLeft()).toBe(98)
  state.objects.set('u/a/back', jpegOf('another reference'))
  await work(...byReference())
  expect(chromas().at(-1)).toBeUndefined()
  expect(await creditsLeft()).toBe(97)
})

it('strokes alone find nothing, and are for nothing the second time', async () => {
  const options = { colours: { by: 'none' }, hints: HINTS }
  const row = await work(options)
  expect(row.outputs.map(({ part }) => part)).toEqual([undefined, 'source'])
  await work({ ...options, strength: { by: 'manual', amount: 30 } })
  expect(chromas()).toEqual([undefined, undefined])
  expect(await creditsLeft()).toBe(99)
})

it('a matte is no chroma, nor the other way round', async () => {
  await engine.work({ tool: 'cut-out' })
  await work()
  await engine.work({ tool: 'cut-out', options: { feather: 2 } })
  expect(asked.map(({ matte, chroma }) => [matte !== undefined, chroma !== undefined])).toEqual([
    [false, false],
    [false, false],
    [true, false],
  ])
  expect(await creditsLeft()).toBe(98)
})

it('what cost nothing, being in colour already, makes no other photo free', async () => {
  state.note = { kind: 'unchanged' }
  await work()
  expect(await creditsLeft()).toBe(100)
  state.note = undefined
  await work({ hints: HINTS })
  expect(chromas()).toEqual([undefined, undefined])
  expect(await creditsLeft()).toBe(99)
})

it('a chroma whose job or file is gone meanwhile is found anew, and nothing is taken for a job that was promised', async () => {
  const first = await work()
  const [again] = await submit({ hints: HINTS })
  const { store } = state
  await clearFiles({ db, store, usage: new StoredBytes(store), now: Date.now }, await expireJob(db, ['a'], first.id, Date.now()))
  const second = await finished(again?.id ?? '')
  expect(second).toMatchObject({ state: 'done' })
  expect(await creditsLeft()).toBe(99)
  state.objects.delete(second.outputs.find(({ part }) => part === 'chroma')?.key ?? '')
  expect(await work()).toMatchObject({ state: 'done' })
  expect(chromas()).toEqual([undefined, undefined, undefined])
})

it('another picture put in the place of the first is another photo', async () => {
  await work()
  const [promised] = await submit({ hints: HINTS })
  state.objects.set('u/a/0', jpegOf('b picture'))
  expect(await finished(promised?.id ?? '')).toMatchObject({ state: 'failed', error: { code: 'upload.missing' } })
  await work()
  expect(chromas()).toEqual([undefined, undefined])
  expect(await creditsLeft()).toBe(98)
})

it('a reference photo that is missing or lost is told of as such', async () => {
  const [options] = byReference()
  await expect(submit(options)).rejects.toMatchObject({ code: 'options.background-missing', data: { label: '参考照片' } })
  await expect(submit(...byReference('u/a/none'))).rejects.toMatchObject({ code: 'options.background-lost', data: { label: '参考照片' } })
})
