import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { transportOf, sharedAddress } from '#electron/website'
import type { ServerSession } from '#electron/server-session'
import { joinDevice, listDevices } from '#shared/api/devices'
import { send } from '#shared/api/send'
import { login, logout, tourist } from '#shared/api/user'
import { member } from '../fixtures/accounts.ts'
import { newKeptFolder, newSession, startSession } from '../fixtures/partition.ts'
import { Visitor } from '../fixtures/server.ts'
import { sharedServer } from '../fixtures/shared-server.ts'

const shared = sharedServer()
const enter = (session: ServerSession) => send(transportOf(session), tourist, undefined)
const devices = (session: ServerSession) => send(transportOf(session), listDevices, undefined)

/** A client on which a new member of the shared server is signed in. */
async function signedIn(folder = newKeptFolder()) {
  const server = shared()
  const { visitor, openid } = await member(server)
  const session = await startSession(server.url, folder)
  await enter(session)
  await send(transportOf(session), login, { openid })
  return { session, visitor, openid, server, folder }
}

describe('the session of the client', () => {
  it('has a computer of its own, listed as a client by its name', async () => {
    const { session } = await signedIn()
    const [here, web] = await devices(session)
    expect(here).toMatchObject({ name: 'Windows · 轻图客户端', kind: 'desktop', current: true })
    expect(web).toMatchObject({ kind: 'web', current: false })
  })

  it('is the same after a restart, on the same computer', async () => {
    const { session, folder, server, openid } = await signedIn()
    await session.keep()
    const again = await startSession(server.url, folder)
    expect(again.who).toEqual(session.who)
    expect(await enter(again)).toMatchObject({ userid: openid })
    expect(await devices(again)).toHaveLength(2)
  })

  it('is called with from the first call on, however soon that is', async () => {
    const { session, folder, server, openid } = await signedIn()
    await session.keep()
    const again = newSession(server.url, folder)
    const restoring = again.restore()
    expect(await enter(again)).toMatchObject({ userid: openid })
    await restoring
    expect(await devices(again)).toHaveLength(2)
  })

  it('keeps nothing that can be read without the seal, and nothing at all where there is none', async () => {
    const { session, folder } = await signedIn()
    await session.keep()
    const token = session.who?.session ?? 'none'
    for (const name of readdirSync(folder)) expect(readFileSync(join(folder, name), 'utf8')).not.toContain(token)
    const bare = newKeptFolder()
    const unsealed = await startSession(shared().url, bare, 'none')
    await enter(unsealed)
    await unsealed.keep()
    expect(unsealed.who).toBeDefined()
    expect(() => readdirSync(bare)).toThrow('ENOENT')
  })

  it('is worth nothing to another server', async () => {
    const { session, folder } = await signedIn()
    await session.keep()
    expect((await startSession('https://other.example', folder)).who).toBeUndefined()
  })

  it('is a third computer where two are signed in, and gives its place up by signing out', async () => {
    const { session, openid, server } = await signedIn()
    const third = await startSession(server.url)
    await enter(third)
    await expect(send(transportOf(third), login, { openid })).rejects.toMatchObject({ code: 'device.limit' })
    await send(transportOf(session), logout, {})
    await send(transportOf(third), login, { openid })
    expect((await devices(third)).map(({ kind }) => kind)).toEqual(expect.arrayContaining(['desktop', 'web']))
  })

  it('shares its place with the website it opens', async () => {
    const { session, server, openid, visitor } = await signedIn()
    await visitor.post('/api/user/logout', {})
    const address = await sharedAddress(session, '/compress/image?from=client')
    const [, ticket = ''] = /^.*\/compress\/image\?from=client#computer=([\w-]+)$/.exec(address) ?? []
    const browser = await Visitor.enter(server.url)
    await browser.post(`/api${joinDevice.path}`, { ticket })
    await browser.post(`/api${login.path}`, { openid })
    expect(await devices(session)).toHaveLength(1)
  })

  it('opens the site without a ticket where the server is away', async () => {
    const session = await startSession('http://127.0.0.1:9')
    expect(await sharedAddress(session, '//elsewhere.example/')).toBe('http://127.0.0.1:9//elsewhere.example/')
  })
})
