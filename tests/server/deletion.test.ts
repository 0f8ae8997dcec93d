import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { member, orderOf, rowOf } from '../fixtures/accounts.ts'
import { testFolder } from '../fixtures/engine.ts'
import { photo } from '../fixtures/pictures.ts'
import { serverProcess } from '../fixtures/server-process.ts'
import { codeOf, installation, testServer, Visitor } from '../fixtures/server.ts'
import { forgetMember, identityOfOrder } from '#server/accounts/forget'
import { openDatabase, type Database } from '#server/database/open'
import { orders } from '#server/database/schema-billing'
import { randomText } from '#server/secrets'

const HOUR_MS = 3_600_000

/** What a person would not want to be found: in a file, in its name and folder, in what is to be done to it. */
const marks = () => ({
  content: randomText(40),
  name: randomText(20),
  folder: randomText(20),
  option: randomText(20),
  password: randomText(20),
})
type Marks = ReturnType<typeof marks>

/** The files under a folder that hold a text, or are called by it. What children are shown of the system are links, and theirs alone. */
const filesWith = (folder: string, text: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => ({ isFile: entry.isFile(), path: join(entry.parentPath, entry.name) }))
    .filter(({ isFile, path }) => path.includes(text) || (isFile && existsSync(path) && readFileSync(path).includes(text)))
    .map(({ path }) => path)

/** All rows of all tables, as text. */
async function rowsOf(db: Database): Promise<string> {
  const { rows: tables } = await db.execute<{ name: string }>(
    sql`select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
  )
  const texts = []
  for (const { name } of tables) {
    texts.push(...(await db.execute<{ row: string }>(sql.raw(`select t::text as row from ${name} t`))).rows.map(({ row }) => row))
  }
  return texts.join('\n')
}

/** A job that packs a file, with its id. */
async function packed(visitor: Visitor, { content, name, folder, option, password }: Marks): Promise<string> {
  const file = { name: `${name}.txt`, path: folder, bytes: Buffer.from(`${content}\n`.repeat(2000)) }
  const [id = ''] = await visitor.start([file], { name: option, password }, 'pack-zip')
  expect(await visitor.ended(id)).toMatchObject({ state: 'done' })
  return id
}

describe('what is deleted', () => {
  it('at once leaves nothing of a file on the disk, and neither its name nor its settings in the database', async () => {
    await using folder = await testFolder()
    const [data, temporary] = [join(folder.path, 'data'), join(folder.path, 'tmp')]
    await mkdir(temporary)
    const lines: string[] = []
    const log = new Writable({ write: (piece, _encoding, done) => (lines.push(String(piece)), done()) })
    await using server = await serverProcess(data, { LOG_LEVEL: 'debug', TMPDIR: temporary }, log)
    const visitor = await Visitor.enter(server.url)
    visitor.pollMs = 600
    const secret = marks()
    const id = await packed(visitor, secret)
    expect(filesWith(join(data, 'objects'), secret.content)).toHaveLength(1)
    expect((await visitor.fetch(`/api/jobs/${id}`, { method: 'DELETE' })).status).toBe(200)
    expect(filesWith(folder.path, secret.content)).toEqual([])
    await server.end('SIGTERM')
    // The log of the database's changes is among these files: a password is nowhere, not even in the past.
    expect(filesWith(folder.path, secret.password)).toEqual([])
    expect(filesWith(temporary, secret.name)).toEqual([])
    for (const text of Object.values(secret)) expect(lines.join('')).not.toContain(text)
    const connection = await openDatabase({ kind: 'embedded', folder: join(data, 'database'), template: installation.databaseTemplate })
    const rows = await rowsOf(connection.db)
    await connection.close()
    expect(rows).toContain(id)
    for (const text of Object.values(secret)) expect(rows).not.toContain(text)
  })

  it('after two hours is gone in the same way, whatever became of its job; the same call still names it', async () => {
    const clock = { aheadMs: 0 }
    await using server = await testServer({ now: () => Date.now() + clock.aheadMs })
    const { db } = server.connection
    const visitor = await Visitor.enter(server.url)
    const [done, failed] = [marks(), marks()]
    const id = await packed(visitor, done)
    // One that can be worked on, and one that never could.
    const inputs = [
      { key: await visitor.upload(await photo(50, 50).jpeg().toBuffer()), name: 'a.jpg' },
      { key: await visitor.upload(Buffer.from(failed.content)), name: `${failed.name}.jpg` },
    ]
    const call = { tool: 'compress-image', options: { goal: { by: 'size', targetKb: 20 }, fileName: failed.option }, inputs }
    const made = await visitor.post<{ jobs: { id: string }[] }>('/api/jobs', call, { 'idempotency-key': 'of-two-hours-ago' })
    await visitor.ended(made.jobs[0]?.id ?? '')
    for (const text of [done.name, failed.name, failed.option]) expect(await rowsOf(db)).toContain(text)
    clock.aheadMs = 2.2 * HOUR_MS
    await server.sweep()
    const rows = await rowsOf(db)
    expect(rows).toContain(id)
    for (const text of [...Object.values(done), ...Object.values(failed)]) expect(rows).not.toContain(text)
    for (const { content } of [done, failed]) expect(filesWith(server.folder, content)).toEqual([])
    const ids = ({ jobs }: { jobs: { id: string }[] }): string[] => jobs.map((job) => job.id)
    expect(ids(await visitor.post('/api/jobs', call, { 'idempotency-key': 'of-two-hours-ago' }))).toEqual(ids(made))
  })

  it('of a closed account is whatever could name its person, and nobody signs in to it again', async () => {
    await using server = await testServer()
    const { db } = server.connection
    const { visitor, openid, identityId } = await member(server)
    await orderOf(server, identityId, { id: 'paid', transactionId: 'at-the-provider', state: 'paid' })
    await orderOf(server, identityId, { id: 'open', state: 'new' })
    const invoice = { kind: 'company', company: '某某科技有限公司', taxId: '91310000MA1FL0000X', email: 'somebody@example.com' }
    await visitor.post('/api/invoices', { orderId: 'paid', ...invoice })
    const secret = marks()
    await packed(visitor, secret)
    expect(await rowsOf(db)).toContain(invoice.email)
    const other = await member(server)

    expect(await identityOfOrder(db, 'at-the-provider')).toBe(identityId)
    await forgetMember(db, identityId, Date.now())
    await server.sweep()
    const rows = await rowsOf(db)
    for (const text of [invoice.company, invoice.taxId, invoice.email]) expect(rows).not.toContain(text)
    for (const text of Object.values(secret)) expect(rows).not.toContain(text)
    expect(filesWith(server.folder, secret.content)).toEqual([])
    expect(await codeOf(await visitor.fetch('/api/devices'))).toEqual([401, 'session.expired'])
    const again = await Visitor.enter(server.url)
    expect(await codeOf(await again.send('/api/user/login', { openid }))).toEqual([404, 'account.unknown'])
    expect(await codeOf(await again.send('/api/user/openid', { orderid: 'paid' }))).toEqual([404, 'order.not-found'])
    expect((await rowOf(server, other.visitor)).identityId).toBe(other.identityId)
    expect(rows).toContain('at-the-provider')
    expect(await db.select({ state: orders.state }).from(orders).where(eq(orders.id, 'open'))).toEqual([{ state: 'closed' }])
  })
})
