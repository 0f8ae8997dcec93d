import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { uploadByPage } from '../fixtures/page-upload.ts'
import { print, rounds, seedOf, spread } from '../fixtures/rounds.ts'
import { testServer, Visitor } from '../fixtures/server.ts'
import { tcpProxy } from '../fixtures/tcp-proxy.ts'

const HOUR_MS = 3_600_000
const CUTS = 3

it('200 MB from the page, in four files, over a network that is cut three times', { timeout: HOUR_MS }, async () => {
  const count = rounds(3)
  const sums = { whole: 0, cuts: 0, parts: 0, resentMb: 0 }
  const seconds: number[] = []
  for (let round = 0; round < count; round++) {
    const { requests: _requests, ...one } = await uploadByPage({ files: 4, megabytes: 50, cuts: CUTS, seed: seedOf(round) })
    seconds.push(one.seconds)
    sums.whole += Number(one.isWhole)
    for (const name of ['cuts', 'parts', 'resentMb'] as const) sums[name] += one[name]
  }
  print('cuts', { rounds: count, ...sums, seconds: spread(seconds) })
  // Three of the files go up at a time; a cut costs each of them one part of 5 MB.
  expect(sums).toMatchObject({ whole: count, cuts: count * CUTS, parts: count * 40 })
  expect(sums.resentMb).toBeLessThanOrEqual(3 * 5 * CUTS * count)
})

it('300 ms of delay each way, and a cut', { timeout: HOUR_MS }, async () => {
  const count = rounds(3)
  const sums = { whole: 0, cuts: 0, resentMb: 0 }
  const seconds: number[] = []
  for (let round = 0; round < count; round++) {
    const one = await uploadByPage({ files: 1, megabytes: 20, cuts: 1, seed: seedOf(round), latencyMs: 300 })
    seconds.push(one.seconds)
    sums.whole += Number(one.isWhole)
    sums.cuts += one.cuts
    sums.resentMb += one.resentMb
  }
  print('delay', { rounds: count, ...sums, seconds: spread(seconds) })
  expect(sums).toMatchObject({ whole: count, cuts: count })
  expect(sums.resentMb).toBeLessThanOrEqual(5 * count)
})

it('a network that goes dead without a word: the page says so, and goes on when it is back', { timeout: HOUR_MS }, async () => {
  const count = rounds(3)
  const sums = { whole: 0, resentMb: 0 }
  const noticed: number[] = []
  for (let round = 0; round < count; round++) {
    const one = await uploadByPage({ files: 3, megabytes: 20, cuts: 0, seed: seedOf(round), goesDead: true })
    noticed.push(one.noticedSeconds ?? Number.NaN)
    sums.whole += Number(one.isWhole)
    sums.resentMb += one.resentMb
  }
  print('dead network', { rounds: count, ...sums, 'seconds until the page said so': spread(noticed) })
  expect(sums.whole).toBe(count)
  // A part of 5 MB of each file.
  expect(sums.resentMb).toBeLessThanOrEqual(3 * 5 * count)
})

it('connections that go dead in the middle of a body are closed within half a minute', { timeout: HOUR_MS }, async () => {
  const count = rounds(3)
  await using server = await testServer()
  await using network = await tcpProxy(() => server.port)
  const seconds: number[] = []
  for (let round = 0; round < count; round++) {
    const visitor = await Visitor.enter(server.url)
    const { client, prefix } = await visitor.storage()
    const url = new URL(await client.signatureUrlV4('PUT', 600, { headers: {}, queries: {} }, `${prefix}dead`))
    const socket = connect(network.port, 'localhost')
    socket.on('error', () => {})
    // Signed by its query, which does not hold the port.
    socket.write(`PUT ${url.pathname}${url.search} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10000000\r\n\r\n`)
    socket.write(Buffer.alloc(100_000))
    const begunAt = performance.now()
    await Promise.race([once(socket, 'close'), once(socket, 'end')])
    seconds.push((performance.now() - begunAt) / 1000)
    socket.destroy()
  }
  print('dead connections', { rounds: count, 'seconds until closed': spread(seconds) })
  expect(Math.max(...seconds)).toBeLessThanOrEqual(31)
})
