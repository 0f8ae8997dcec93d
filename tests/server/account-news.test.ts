import { afterEach, describe, expect, it, vi } from 'vitest'
import { member, rowOf, signInOn } from '../fixtures/accounts.ts'
import { testDatabase } from '../fixtures/database.ts'
import { person } from '../fixtures/members.ts'
import { testQueue } from '../fixtures/server-queue.ts'
import { codeOf, testServer, Visitor, type TestServer } from '../fixtures/server.ts'
import { sharedServer } from '../fixtures/shared-server.ts'
import { AccountFeed } from '#server/accounts/account-feed'
import { Identities } from '#server/accounts/identities'
import { announceAccount } from '#server/accounts/news'
import { beGuest, signIn } from '#server/accounts/sessions'
import type { Database } from '#server/database/open'
import { sessions, slots } from '#server/database/schema'
import { openSecrets } from '#server/secrets'

const shared = sharedServer()

const DAY_MS = 86_400_000

afterEach(() => void vi.useRealTimers())

/** A session of a new guest. */
const openGuest = async (tx: Database, now: number) => {
  const identities = new Identities(openSecrets('a secret of at least 32 characters', ''))
  const computer = { deviceId: 'd', kind: 'web', deviceName: undefined } as const
  return (await beGuest(tx, computer, null, () => identities.createGuest(tx, now), now)).caller
}

/** A visitor's stream of events: the names of those to come, until the server ends it. */
async function streamOf(visitor: Visitor) {
  const controller = new AbortController()
  const response = await visitor.fetch('/api/jobs/events', { signal: controller.signal })
  expect(response.status).toBe(200)
  const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const read = async (): Promise<boolean> => {
    const { done, value = '' } = await reader.read()
    text += value
    return !done
  }
  const until = async (piece: string): Promise<void> => {
    while (!text.includes(piece)) if (!(await read())) throw new Error(`the stream ended with ${text}`)
  }
  await until('event: heartbeat')
  return {
    until,
    /** Reads to the end; all that was said. */
    end: async (): Promise<string> => {
      while (await read());
      return text
    },
    leave: () => controller.abort(),
  }
}

/** One server, or two on one PostgreSQL. */
async function servers(): Promise<readonly [TestServer, TestServer, AsyncDisposable]> {
  const database = await testDatabase('')
  if (database.source.kind === 'embedded') {
    const server = await testServer()
    return [server, server, server]
  }
  const environment = { DATABASE_URL: database.source.url, SECRET_KEY: 'the same on every server of one site' }
  const all = [await testServer({}, environment), await testServer({}, environment), database] as const
  const close = async (): Promise<void> => {
    for (const one of all) await one[Symbol.asyncDispose]()
  }
  return [all[0], all[1], { [Symbol.asyncDispose]: close }]
}

describe('on as many servers as a database can have', () => {
  it('a computer signed out from another hears of it at once, its stream ends, and the other computers’ goes on', async () => {
    const [here, there, closing] = await servers()
    await using _ = closing
    const { visitor: first, openid } = await member(here)
    const { visitor: second } = await signInOn(there, openid)
    const [kept, ended] = [await streamOf(first), await streamOf(second)]
    const { deviceId } = await rowOf(here, second)
    await first.post('/api/devices/release', { deviceId })
    expect(await ended.end()).toContain('event: account')
    expect(await codeOf(await second.fetch('/api/jobs/events'))).toEqual([401, 'device.signed-out'])
    await kept.until('event: account')
    await here.connection.db.transaction((tx) => announceAccount(tx, 'nobody'))
    kept.leave()
  })

  it('twenty computers at once leave two, whichever server they ask', async () => {
    const [here, there, closing] = await servers()
    await using _ = closing
    const { visitor, openid } = await member(here)
    const all = await Promise.all(Array.from({ length: 20 }, (_one, n) => signInOn(n % 2 === 0 ? here : there, openid)))
    expect(all.filter(({ response }) => response.ok)).toHaveLength(1)
    expect(await visitor.read<unknown[]>('/api/devices')).toHaveLength(2)
  })
})

it('a session that ended without notice ends its stream at the next look, within half a minute', async () => {
  await using queued = await testQueue()
  const { db, connection } = queued
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const now = Date.now()
  await person(db, 'a', 'forever')
  const opened = await db.transaction(async (tx) => {
    const guest = await openGuest(tx, now)
    return signIn(tx, guest, { identityId: 'a', deviceName: undefined, release: undefined }, now)
  })
  const feed = new AccountFeed(db, () => now)
  await feed.start({ ...connection, listen: async () => async () => {} })
  const heard: string[] = []
  const ended = new Promise<void>((resolve) => {
    feed.subscribe({ caller: opened.caller, hear: () => heard.push('news'), end: resolve })
  })
  await db.update(sessions).set({ end: 'signed-out' })
  vi.advanceTimersByTime(29_000)
  await ended
  expect(heard).toContain('news')
  await feed.close()
})

it('an open page keeps its computer’s place, though it asks for nothing', async () => {
  const clock = { now: Date.now() }
  await using server = await testServer({ now: () => clock.now })
  const { visitor, identityId } = await member(server, clock.now)
  const stream = await streamOf(visitor)
  clock.now += 29 * DAY_MS
  await server.connection.db.transaction((tx) => announceAccount(tx, identityId))
  await stream.until('event: account')
  const lastSeenOf = async (): Promise<number | undefined> => (await server.connection.db.select().from(slots))[0]?.lastSeenAt.getTime()
  await vi.waitFor(async () => expect(await lastSeenOf()).toBe(clock.now), { timeout: 30_000 })
  stream.leave()
})

it('an open page hears of its account’s news, and of nobody else’s', async () => {
  const { visitor, identityId } = await member(shared())
  const { visitor: stranger } = await member(shared())
  const [own, foreign] = [await streamOf(visitor), await streamOf(stranger)]
  await shared().connection.db.transaction((tx) => announceAccount(tx, identityId))
  await own.until('event: account')
  await stranger.post('/api/user/logout', {})
  const heard = await foreign.end()
  expect(heard.match(/event: account/g)).toHaveLength(2)
  own.leave()
})

it('a stream of the guest a browser was ends when it signs in', async () => {
  const { openid } = await member(shared())
  const visitor = await Visitor.enter(shared().url)
  const stream = await streamOf(visitor)
  await visitor.post('/api/user/login', { openid })
  expect(await stream.end()).toContain('event: account')
  expect((await visitor.fetch('/api/jobs')).status).toBe(200)
})
