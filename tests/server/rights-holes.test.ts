import { expect, it } from 'vitest'
import { toSize } from '../fixtures/engine.ts'
import { Desk, newOperator } from '../fixtures/operators.ts'
import { orderBody } from '../fixtures/payments.ts'
import { photo } from '../fixtures/pictures.ts'
import { testServer, Visitor, type TestServer } from '../fixtures/server.ts'
import { identities, jobs } from '#server/database/schema'
import { ledger, orders } from '#server/database/schema-billing'
import { dayOf } from '#shared/china-time'
import { remainingText } from '#shared/membership'
import { afterVisit, readSession } from '#shared/session'

/** Somebody who is all there is on the server, with what was bought for him. */
async function member(
  server: TestServer,
  bought: { credits?: number; isForever?: boolean },
): Promise<{ visitor: Visitor; quota: () => Promise<Quota> }> {
  const visitor = await Visitor.enter(server.url)
  await server.connection.db.update(identities).set({ memberSince: new Date(), ...bought })
  const { userid: openid } = await visitor.read<{ userid: string }>('/api/user/tourist')
  return { visitor, quota: () => visitor.post<Quota>('/api/user/cvtnum', { openid }) }
}

interface Quota {
  readonly cvtnumRelRemain: number
  readonly cvtnumNoAiRemain: number
  readonly isForever: boolean
}

const picture = (seed: number): Promise<Buffer> => photo(600, 600, 3, seed).jpeg({ quality: 95 }).toBuffer()

it('row 25: an address of a visit is a text of some length, of which a report tells the channel only', async () => {
  await using server = await testServer()
  const visitor = await Visitor.enter(server.url)
  const body = await orderBody(visitor, 'bigWeb')
  for (const name of ['bdUrl', 'url360']) {
    expect((await visitor.send('/api/order/wxpay', { ...body, [name]: 'a'.repeat(2049) })).status).toBe(400)
    expect((await visitor.send('/api/order/wxpay', { ...body, [name]: 'a'.repeat(10_000_000) })).status).toBe(413)
  }
  await visitor.post('/api/order/wxpay', { ...body, url360: '=HYPERLINK("http://169.254.169.254/","x")<img src=x onerror=alert(1)>' })
  await server.connection.db.update(orders).set({ state: 'paid', paidAt: new Date() })
  const desk = await Desk.open(server, await newOperator(server))
  const [year, month, day] = dayOf(Date.now()).split('-').map(Number)
  const report = await desk.post('/api/order/paidquery', { dateNyr: `${month}/${day}/${year}` })
  expect(report).toMatchObject([{ channel: '360', price: 28 }])
  expect(JSON.stringify(report)).not.toMatch(/HYPERLINK|onerror/)
})

it('row 26: a visit is the partner’s by the configured parameter alone, not by an address that contains it somewhere', async () => {
  await using server = await testServer({}, { PARTNER_MARKER: 'friend' })
  const { partnerMarker } = await new Visitor(server.url).read<{ partnerMarker: string }>('/api/tools')
  const channelOf = (address: string): string => afterVisit(readSession(null), address, partnerMarker).url360
  expect(channelOf('https://qingtu.example/?from=friend')).toBe('friend')
  for (const crafted of [
    '/friend',
    '/?q=friend',
    '/?from=friends',
    '/?from=a&x=from=friend',
    '/?xfrom=friend',
    '/#?from=friend',
    '/?q=1#from=friend',
  ]) {
    expect([crafted, channelOf(`https://qingtu.example${crafted}`)]).toEqual([crafted, ''])
  }
  // Where there is no partner nobody can make himself one.
  expect(afterVisit(readSession(null), 'https://qingtu.example/?from=', '').url360).toBe('')
})

it('row 37: many credits are no lifetime membership, whatever the panel says', async () => {
  await using server = await testServer()
  const { visitor, quota } = await member(server, { credits: 2000 })
  expect(await quota()).toMatchObject({ cvtnumRelRemain: 2000, cvtnumNoAiRemain: 0, isForever: false })
  expect(remainingText(await quota())).toBe('2000 次')
  expect(remainingText({ cvtnumRelRemain: 0, cvtnumNoAiRemain: 1000 })).toBe('1000 次')
  const [id = ''] = await visitor.start([{ name: 'a.jpg', bytes: await picture(1) }], toSize(20))
  await visitor.ended(id)
  expect(await quota()).toMatchObject({ cvtnumRelRemain: 1999 })
  await server.connection.db.update(identities).set({ isForever: true })
  expect(remainingText(await quota())).toBe('不限图片压缩张数')
  const [other = ''] = await visitor.start([{ name: 'b.jpg', bytes: await picture(2) }], toSize(20))
  await visitor.ended(other)
  expect(await quota()).toMatchObject({ cvtnumRelRemain: 1999, isForever: true })
})

it('row 38: a picture costs one credit when it is done, none when it fails, is cancelled or stays as it was', async () => {
  await using server = await testServer()
  const { visitor, quota } = await member(server, { credits: 2 })
  const whole = await picture(1)
  const left = async (): Promise<number> => (await quota()).cvtnumRelRemain
  const [failing = ''] = await visitor.start([{ name: 'cut.jpg', bytes: whole.subarray(0, whole.length / 2) }], toSize(20))
  expect((await visitor.ended(failing)).state).toBe('failed')
  const [unchanged = ''] = await visitor.start([{ name: 'a.jpg', bytes: whole }], toSize(5000))
  expect((await visitor.ended(unchanged)).note).toEqual({ kind: 'unchanged' })
  const slow = await photo(2200, 1800).png({ compressionLevel: 1 }).toBuffer()
  const [cancelled = ''] = await visitor.start([{ name: 'slow.png', bytes: slow }], toSize(20))
  // Set aside while it runs, and visibly so.
  expect(await left()).toBe(1)
  await visitor.post(`/api/jobs/${cancelled}/cancel`, {})
  expect(await left()).toBe(2)
  const [done = ''] = await visitor.start([{ name: 'a.jpg', bytes: whole }], toSize(20))
  expect((await visitor.ended(done)).state).toBe('done')
  expect(await left()).toBe(1)
  // Removing what was done brings nothing back.
  await visitor.fetch(`/api/jobs/${done}`, { method: 'DELETE' })
  expect(await left()).toBe(1)
  const lines = await server.connection.db.select().from(ledger)
  const rows = await server.connection.db.select({ id: jobs.id }).from(jobs)
  expect(lines.map(({ jobId }) => jobId).toSorted()).toEqual(rows.map(({ id }) => id).toSorted())
  expect(lines.map(({ state }) => state).toSorted()).toEqual(['committed', 'released', 'released', 'released'])
})

it('a picture resized in a format that no target can make poorer is paid for, however small the target', async () => {
  await using server = await testServer()
  const { visitor, quota } = await member(server, { credits: 2 })
  const bytes = await photo(300, 300).tiff({ compression: 'none' }).toBuffer()
  const [id = ''] = await visitor.start([{ name: 'a.tif', bytes }], { width: 200, height: 200, targetKb: 1 }, 'resize-image')
  const job = await visitor.ended(id)
  expect(job).toMatchObject({ state: 'done', note: { kind: 'missed' }, outputs: [{ format: 'tiff', width: 200 }] })
  expect(await quota()).toMatchObject({ cvtnumRelRemain: 1 })
  const [poor = ''] = await visitor.start(
    [{ name: 'b.jpg', bytes: await picture(4) }],
    { width: 500, height: 500, targetKb: 1 },
    'resize-image',
  )
  expect(await visitor.ended(poor)).toMatchObject({ state: 'done', note: { kind: 'missed' } })
  expect(await quota()).toMatchObject({ cvtnumRelRemain: 1 })
})
