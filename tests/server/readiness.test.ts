import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { testFolder } from '../fixtures/engine.ts'
import { until } from '../fixtures/payments.ts'
import { testServer } from '../fixtures/server.ts'
import { testQueue } from '../fixtures/server-queue.ts'
import { Readiness, requireRoom, requireWritable } from '#server/readiness'

afterEach(() => void vi.useRealTimers())

describe('whether a process is ready', () => {
  it('is told by the parts it needs: one that fails is named, and counts again once it is well', async () => {
    vi.useFakeTimers()
    const readiness = new Readiness()
    const broken = { isBroken: true }
    readiness.need('database', async () => {
      if (broken.isBroken) throw new Error('away')
    })
    readiness.need('storage', async () => {})
    expect(await readiness.failing()).toEqual(['database'])
    broken.isBroken = false
    await vi.advanceTimersByTimeAsync(1_100)
    expect(await readiness.failing()).toEqual([])
  })

  it('is answered within two seconds when a part hangs, which is not asked again meanwhile', async () => {
    vi.useFakeTimers()
    const readiness = new Readiness()
    const hangs = vi.fn<() => Promise<void>>(() => new Promise(() => {}))
    readiness.need('storage', hangs)
    for (let n = 0; n < 3; n++) {
      const failing = readiness.failing()
      await vi.advanceTimersByTimeAsync(1_999)
      expect(await Promise.race([failing, Promise.resolve('no answer yet')])).toEqual(['storage'])
    }
    expect(hangs).toHaveBeenCalledTimes(1)
  })

  it('is denied by a database that only reads', async () => {
    await using queue = await testQueue()
    const { db } = queue
    await requireWritable(db)
    await db.transaction(async (tx) => {
      await tx.execute('set transaction read only')
      await expect(requireWritable(tx)).rejects.toThrow('read-only')
    })
  })

  it('is denied by a disk with less free than a share of it', async () => {
    await using folder = await testFolder()
    await requireRoom(folder.path, 0)
    await expect(requireRoom(folder.path, 1.01)).rejects.toThrow('full')
  })
})

it('a server that is told to stop says so first, and answers meanwhile', async () => {
  const server = await testServer({}, { DRAIN_SECONDS: '2' })
  const read = (path: string): Promise<Response> => fetch(server.url + path)
  await until(async () => (await read('/readyz')).status === 200)
  const closing = server[Symbol.asyncDispose]()
  const answer = await read('/readyz')
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await answer.json()).toMatchObject({ code: 'service.unavailable', failing: ['draining'], ref: expect.stringMatching(/^\w{8}$/) })
  const meanwhile = await read('/healthz')
  // So that whoever keeps connections has none left when it ends.
  expect([meanwhile.status, meanwhile.headers.get('connection')]).toEqual([200, 'close'])
  await closing
})

it('a request that is on its way while a server closes is answered like all others', async () => {
  const server = await testServer()
  const socket = connect(server.port, 'localhost')
  const answer = text(socket)
  socket.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n')
  await until(async () => (await fetch(`${server.url}/healthz`)).ok)
  const closing = server[Symbol.asyncDispose]()
  const refuses = (): Promise<boolean> =>
    fetch(`${server.url}/healthz`).then(
      () => false,
      () => true,
    )
  await until(refuses)
  socket.write('\r\n')
  expect(await answer).toMatch(/^HTTP\/1.1 200[^]*connection: close/i)
  await closing
})
