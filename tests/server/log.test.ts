import { join } from 'node:path'
import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { testFolder, toSize } from '../fixtures/engine.ts'
import { codeAt } from '../fixtures/operators.ts'
import { order, payAt, until } from '../fixtures/payments.ts'
import { photo } from '../fixtures/pictures.ts'
import { refusedStart, serverProcess } from '../fixtures/server-process.ts'
import { codeOf, installation, Visitor } from '../fixtures/server.ts'
import { openDatabase } from '#server/database/open'
import { addOperator } from '#server/operators/operators'
import { openSecrets, randomText } from '#server/secrets'

/** Every secret of a sign-in at the sandbox's WeChat. */
async function signInByWechat(visitor: Visitor): Promise<Record<string, string>> {
  const follow = async (path: string): Promise<URL> =>
    new URL((await visitor.fetch(path, { redirect: 'manual' })).headers.get('location') ?? '', visitor.url)
  const state = (await follow('/api/user/wxlogin/start')).searchParams.get('state') ?? ''
  const back = await follow(`/api/user/wxlogin/sandbox/agree?${new URLSearchParams({ name: 'somebody-at-wechat', state })}`)
  const { ticket = '', openid = '' } = Object.fromEntries((await follow(`${back.pathname}${back.search}`)).searchParams)
  await visitor.post('/api/user/wxlogin/confirm', { ticket })
  return {
    state,
    wechatCode: back.searchParams.get('code') ?? '',
    wechatName: 'somebody-at-wechat',
    wechatTicket: ticket,
    wechatId: openid,
  }
}

it('row 51: the log tells of every request and of no secret', async () => {
  await using folder = await testFolder()
  const lines: string[] = []
  const log = new Writable({ write: (piece, _encoding, done) => (lines.push(String(piece)), done()) })
  await using server = await serverProcess(folder.path, { LOG_LEVEL: 'debug' }, log)
  const visitor = new Visitor(server.url)
  const { userid } = await visitor.read<{ userid: string }>('/api/user/tourist')
  visitor.pollMs = 600
  const picture = await photo(400, 300).jpeg({ quality: 95 }).toBuffer()
  const [id = ''] = await visitor.start([{ name: '身份证.jpg', bytes: picture }], toSize(10))
  const [output] = (await visitor.ended(id)).outputs
  await visitor.download(output?.url ?? '')
  const { ticket } = await visitor.post<{ ticket: string }>('/api/jobs/zip', { ids: [id] })
  await visitor.download(`/api/jobs/zip/${ticket}`)
  const credentials = await visitor.post<Record<string, string>>('/api/sts', {})
  const typed = { openid: '0123456789abcdefghjkmnpqrs', orderid: '20261121abcdefghjkmnpqrstvwx', ticketTyped: 'a-ticket-that-was-made-up' }
  await visitor.send('/api/user/login', { openid: typed.openid })
  await visitor.send('/api/user/openid', { orderid: typed.orderid })
  await visitor.send('/api/user/wxlogin/confirm', { ticket: typed.ticketTyped })
  await visitor.send('/api/user/cvtnum', { openid: typed.openid })
  const { ticket: device } = await visitor.post<{ ticket: string }>('/api/devices/ticket', {})
  const wechat = await signInByWechat(visitor)
  await server.end('SIGTERM')

  const text = lines.join('')
  expect(text).toContain('"route":"/api/jobs"')
  expect(text).toContain('"route":"/f/:id/:n"')
  expect(text).toContain('"failure":"account.unknown"')
  expect(text).toContain('"route":"/api/user/wxlogin/return"')
  expect(text).toMatch(/"status":200,"ms":\d+,"ip":"127\.0\.0\.1","by":"\w{16}","msg":"request"/)
  expect(text).toMatch(/"by":"\w{16}","msg":"session begun"/)
  const signature = new URL(output?.url ?? '', server.url).searchParams.get('s') ?? ''
  const { AccessKeySecret = '', SecurityToken = '' } = credentials
  const secrets = {
    userid,
    ticket,
    signature,
    AccessKeySecret,
    SecurityToken,
    name: '身份证',
    ...typed,
    device,
    ...wechat,
    ...Object.fromEntries(visitor.cookies),
  }
  const told = Object.entries(secrets).filter(([, secret]) => secret.length < 2 || text.includes(secret))
  expect(told.map(([name]) => name)).toEqual([])
})

/** An operator made before the server starts, as the command does. */
async function operatorIn(folder: string, secretKey: string) {
  const connection = await openDatabase({ kind: 'embedded', folder: join(folder, 'database'), template: installation.databaseTemplate })
  const issued = await addOperator(connection.db, openSecrets(secretKey, folder), 'op', Date.now())
  await connection.close()
  if (!issued) throw new Error('the name is taken')
  return issued
}

/** Pays an order in the sandbox, signs in elsewhere by its number, asks for an invoice; what nobody else may know of it. */
async function buy(visitor: Visitor): Promise<Record<string, string>> {
  const { orderId: pageNumber, page, code } = await order(visitor, 'wxpay', 'bigWeb')
  await payAt(visitor.url, page)
  const mine = (): Promise<{ orderId: string }[]> => visitor.read('/api/order/mine')
  await until(async () => (await mine()).length > 0, 20_000, 600)
  const orderId = (await mine())[0]?.orderId ?? ''
  const invoice = { company: '某某隐私科技公司', taxId: '91310000MA1K00000X', email: 'somebody@example.com' }
  await visitor.post('/api/invoices', { orderId, kind: 'company', ...invoice })
  expect(await codeOf(await visitor.send('/api/invoices', { orderId, kind: 'company', ...invoice }))).toEqual([409, 'invoice.exists'])
  const elsewhere = await Visitor.enter(visitor.url)
  const { openid } = await elsewhere.post<{ openid: string }>('/api/user/openid', { orderid: orderId })
  return { pageNumber, code, payToken: page.split('/').at(-1) ?? '', orderId, openid, sid: elsewhere.cookies.get('sid') ?? '', ...invoice }
}

/** Signs an operator in, wrongly first, and pays the order back. */
async function operate(
  url: string,
  { password, secret }: { password: string; secret: string },
  orderId: string,
): Promise<Record<string, string>> {
  const visitor = new Visitor(url)
  const code = codeAt(secret, Date.now())
  const wrong = { name: 'op', password: 'a-wrong-password', code }
  expect((await visitor.send('/api/operator/login', wrong)).status).toBe(401)
  const { xsrf } = await visitor.post<{ xsrf: string }>('/api/operator/login', { name: 'op', password, code })
  const reason = '客户申请退款的私事'
  await visitor.post('/api/operator/refund', { orderId, reason }, { 'x-xsrf-token': xsrf })
  return { password, secret, wrong: wrong.password, operatorXsrf: xsrf, operatorCookie: visitor.cookies.get('operator') ?? '', reason }
}

it('row 51: the log of paying, invoices and operators, and of what fails there, holds no secret either, nor any of the settings', async () => {
  await using folder = await testFolder()
  const settings = { SECRET_KEY: randomText(40), METRICS_TOKEN: randomText(24) }
  const issued = await operatorIn(folder.path, settings.SECRET_KEY)
  const lines: string[] = []
  const log = new Writable({ write: (piece, _encoding, done) => (lines.push(String(piece)), done()) })
  await using server = await serverProcess(folder.path, { LOG_LEVEL: 'debug', ...settings }, log)
  const visitor = await Visitor.enter(server.url)
  visitor.pollMs = 600
  const bought = await buy(visitor)
  const operated = await operate(server.url, issued, bought['orderId'] ?? '')
  // A PDF that is none, with a password; a name the database can't hold; a secret that is no metrics token.
  const pdf = { name: '离婚协议书草稿.pdf', password: 'the-password-of-a-pdf' }
  const [id = ''] = await visitor.start(
    [{ name: pdf.name, bytes: Buffer.from('%PDF-1.7 broken') }],
    { password: pdf.password },
    'pdf-to-word',
  )
  expect(await visitor.ended(id)).toMatchObject({ state: 'failed' })
  await visitor.send('/api/user/login', { openid: `nul-\0-${bought['openid']}`.slice(0, 30) })
  await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${settings.METRICS_TOKEN}` } })
  await server.end('SIGTERM')
  const text = lines.join('')
  expect(text).toContain('"route":"/api/operator/refund"')
  expect(text).toContain('"failure":"operator.refused"')
  const secrets = {
    ...settings,
    ...bought,
    ...operated,
    pdfName: '离婚协议书草稿',
    pdfPassword: pdf.password,
    ...Object.fromEntries(visitor.cookies),
  }
  expect(Object.entries(secrets).flatMap(([name, secret]) => (secret.length < 5 || text.includes(secret) ? [name] : []))).toEqual([])
})

it('a server that finds no database says so without its password', async () => {
  await using folder = await testFolder()
  const refused = await refusedStart({
    PORT: '0',
    DATA_DIR: folder.path,
    DATABASE_URL: 'postgres://somebody:a-secret-password@127.0.0.1:9/nothing',
  })
  expect(refused.code).not.toBe(0)
  expect(refused.text).not.toBe('')
  expect(refused.text).not.toContain('a-secret-password')
})

it('what a person is told has its ref in the log, with route and code; a job that failed its id and code; a notice its reason', async () => {
  await using folder = await testFolder()
  const lines: string[] = []
  const log = new Writable({ write: (piece, _encoding, done) => (lines.push(String(piece)), done()) })
  await using server = await serverProcess(folder.path, { LOG_LEVEL: 'info' }, log)
  const visitor = await Visitor.enter(server.url)
  visitor.pollMs = 600
  const refusal = await visitor.send('/api/user/login', { openid: '0123456789abcdefghjkmnpqrs' })
  const { ref } = (await refusal.json()) as { ref: string } // every failure's envelope
  await fetch(`${server.url}/api/pay/notify/alipay`, { method: 'POST', body: 'sign=made+up' })
  const cut = (await photo(300, 200).jpeg().toBuffer()).subarray(0, 700)
  const [id = ''] = await visitor.start([{ name: '病历.jpg', bytes: cut }], toSize(10))
  const { error } = await visitor.ended(id)
  await server.end('SIGTERM')
  const told = lines
    .join('')
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>) // one JSON object a line
  const refused = { failure: 'account.unknown', method: 'POST', route: '/api/user/login' }
  expect(told.find((line) => line['ref'] === ref)).toMatchObject(refused)
  const failed = { ref: id.slice(0, 8), tool: 'compress-image', failure: error?.code }
  expect(told.find((line) => line['msg'] === 'a notice was not heard')).toMatchObject({ err: { message: expect.stringMatching(/\w{3}/) } })
  expect(told.find((line) => line['job'] === id && line['msg'] === 'job failed')).toMatchObject(failed)
  expect(lines.join('')).not.toContain('病历')
})
