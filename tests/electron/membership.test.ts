import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { member } from '../fixtures/accounts.ts'
import { hasClient, openClient, type Client } from '../fixtures/client.ts'
import { testFolder } from '../fixtures/engine.ts'
import { photo } from '../fixtures/pictures.ts'
import { testServer } from '../fixtures/server.ts'
import { identities } from '#server/database/schema'
import { ledger } from '#server/database/schema-billing'
import type { DeviceView } from '#shared/api/devices'

interface Answer {
  readonly status: number
  readonly body: { readonly code?: string; readonly data?: unknown }
}

/** A call as the client's page makes it: to its own origin, with nothing of a session in its hands. */
const call = ({ page }: Client, path: string, body?: object): Promise<Answer> =>
  page.evaluate(
    async ([address, json]) => {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(`/api${address}`, json === '' ? {} : { method: 'POST', headers, body: json })
      return { status: response.status, body: await response.json() }
    },
    [path, body ? JSON.stringify(body) : ''] as const,
  )

const devicesIn = ({ body }: Answer): readonly DeviceView[] => {
  const { devices } = body.data as { devices: DeviceView[] } // what `device.limit` comes with
  return devices
}

/** How long and how often the client may work without a network. */
const offlineOf = ({ page }: Client): Promise<unknown> =>
  page.evaluate(async () => {
    const { qingtu } = globalThis as unknown as { qingtu: { ask: (name: string) => Promise<{ data: unknown }> } } // see shared/desktop.ts
    return (await qingtu.ask('quota:offline')).data
  })

/** Has the client reach its server, or nobody: every call goes to a port where nothing listens. */
const reach = ({ app }: Client, isThere: boolean): Promise<void> =>
  app.evaluate(async ({ session }, isDirect) => {
    const partition = session.fromPartition('server')
    const nobody = { proxyRules: 'http://127.0.0.1:1', proxyBypassRules: '<-loopback>' }
    await partition.setProxy(isDirect ? { mode: 'direct' } : nobody)
    await partition.closeAllConnections()
  }, isThere)

/** Hands the client a picture and has it compressed. */
async function compress({ page }: Client, bytes: Buffer): Promise<Answer> {
  return page.evaluate(
    async (numbers) => {
      type Ask = (name: string, request: object) => Promise<{ data: { key: string; name: string } }>
      const { qingtu } = globalThis as unknown as { qingtu: { ask: Ask } } // see shared/desktop.ts
      const { data } = await qingtu.ask('files:keep', { name: 'a.jpg', bytes: new Uint8Array(numbers) })
      const options = { goal: { by: 'size', targetKb: 20 } }
      const body = JSON.stringify({ tool: 'compress-image', options, inputs: [{ key: data.key, name: data.name }] })
      const response = await fetch('/api/jobs', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      return { status: response.status, body: await response.json() }
    },
    [...bytes],
  )
}

const PATIENCE = { timeout: 60_000, interval: 200 }

describe.skipIf(!hasClient)('two clients and a browser on one membership', () => {
  test('are one too many: the one that is chosen goes, and what is left pays on days without a network too', async () => {
    await using server = await testServer()
    const { db } = server.connection
    const { openid, identityId } = await member(server)
    const isMember = eq(identities.id, identityId)
    await db.update(identities).set({ isForever: false, credits: 3 }).where(isMember)
    const picture = await photo(600, 600, 3, 1).jpeg({ quality: 95 }).toBuffer()
    await using first = await openClient({ server: server.url })
    // What was pasted goes to the person's pictures.
    await using home = await testFolder()
    await mkdir(join(home.path, 'Pictures'))
    await using second = await openClient({ server: server.url, environment: { HOME: home.path } })
    for (const client of [first, second]) await expect.poll(async () => (await call(client, '/user/tourist')).status, PATIENCE).toBe(200)

    expect((await call(first, '/user/login', { openid })).status).toBe(200)
    const refusal = await call(second, '/user/login', { openid })
    expect([refusal.status, refusal.body.code]).toEqual([409, 'device.limit'])
    expect(
      devicesIn(refusal)
        .map(({ kind }) => kind)
        .toSorted(),
    ).toEqual(['desktop', 'web'])
    const release = devicesIn(refusal).find(({ kind }) => kind === 'desktop')?.deviceId
    expect((await call(second, '/user/login', { openid, release })).status).toBe(200)
    // Its page hears of it, says so, and is a guest's again.
    await expect.poll(async () => (await call(first, '/devices')).body, PATIENCE).toEqual({ data: [] })

    // In sight of the server, the server pays.
    expect((await compress(second, picture)).status).toBe(200)
    const ended = async (): Promise<unknown> => (await call(second, '/jobs')).body.data
    await expect.poll(ended, PATIENCE).toMatchObject([{ state: 'done' }])
    const lines = () => db.select().from(ledger).where(eq(ledger.identityId, identityId))
    await expect.poll(async () => (await lines()).map(({ state }) => state), PATIENCE).toEqual(['committed'])
    await expect.poll(() => offlineOf(second), PATIENCE).toMatchObject({ left: 2 })
    expect(await offlineOf(first)).toBeNull()

    // Out of its sight, a member's pass does, and a guest is told.
    for (const client of [first, second]) await reach(client, false)
    for (let picked = 0; picked < 2; picked++) expect((await compress(second, picture)).status).toBe(200)
    expect((await compress(second, picture)).body.code).toBe('offline.over')
    expect((await compress(first, picture)).body.code).toBe('offline.guest')
    expect(await lines()).toHaveLength(1)

    await reach(second, true)
    await expect
      .poll(async () => (await lines()).filter(({ units, state }) => units > 0 && state === 'committed'), PATIENCE)
      .toHaveLength(3)
    expect((await db.select().from(identities).where(isMember)).map(({ credits }) => credits)).toEqual([0])
  })
})
