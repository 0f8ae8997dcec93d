import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { ownCounts } from '../fixtures/counts.ts'
import { testFolder } from '../fixtures/engine.ts'
import { orderBody } from '../fixtures/payments.ts'
import { codeOf, testServer, Visitor } from '../fixtures/server.ts'
import { readPrivateKey, readPublicKey } from '#server/billing/providers/keys'
import { openSandboxKeys } from '#server/billing/sandbox/keys'
import { openTill } from '#server/billing/till'
import { ConfigError, parseConfig } from '#server/config'
import type { Database } from '#server/database/open'
import { securityHeaders } from '#server/headers'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const pem = (type: 'pkcs1' | 'pkcs8'): string => String(privateKey.export({ type, format: 'pem' }))
const bare = (text: string): string => text.replace(/-----[^-]+-----|\s/g, '')
const publicPem = String(publicKey.export({ type: 'spki', format: 'pem' }))

const alipay = (more: Record<string, string> = {}) => ({
  ALIPAY_APP_ID: '2021000000000000',
  ALIPAY_SELLER_ID: '2088000000000001',
  ALIPAY_PRIVATE_KEY: bare(pem('pkcs8')),
  ALIPAY_PUBLIC_KEY: bare(publicPem),
  PUBLIC_URL: 'https://qingtu.example',
  ...more,
})
const wechat = {
  WECHAT_APP_ID: 'wx1',
  WECHAT_MCH_ID: '1900000001',
  WECHAT_MCH_SERIAL: 'ABC',
  WECHAT_MCH_PRIVATE_KEY: pem('pkcs8'),
  WECHAT_API_V3_KEY: 'x'.repeat(32),
  WECHAT_PLATFORM_SERIAL: 'PUB_KEY_ID_1',
  WECHAT_PLATFORM_KEY: publicPem,
  PUBLIC_URL: 'https://qingtu.example',
}
const open = (environment: Record<string, string>) =>
  openTill(
    parseConfig(environment),
    // no statement is made before somebody orders
    { db: undefined as unknown as Database, log: pino({ level: 'silent' }), now: Date.now, newOrders: [1, 1], counts: ownCounts() },
    () => '',
  )

describe('keys', () => {
  it.each([
    ['PEM', pem('pkcs8')],
    ['older PEM', pem('pkcs1')],
    ['bare Base64', bare(pem('pkcs8'))],
    ['older bare Base64', bare(pem('pkcs1'))],
  ])('are read from %s, given or in a file', async (_what, text) => {
    await using folder = await testFolder()
    const file = join(folder.path, 'key')
    writeFileSync(file, `${text}\n`)
    for (const given of [text, file]) expect(readPrivateKey('KEY', given).equals(privateKey)).toBe(true)
  })

  it('of a provider are read as well', () => {
    for (const text of [publicPem, bare(publicPem)]) expect(readPublicKey('KEY', text).equals(publicKey)).toBe(true)
  })

  it('that are none are refused by name, not by what they say', () => {
    expect(() => readPrivateKey('ALIPAY_PRIVATE_KEY', 'hunter2')).toThrow(ConfigError)
    expect(() => readPrivateKey('ALIPAY_PRIVATE_KEY', 'hunter2')).toThrow(/^ALIPAY_PRIVATE_KEY (?!.*hunter2)/)
  })
})

describe('a till', () => {
  it.each([
    ['Alipay alone', alipay(), ['alipay']],
    ['WeChat alone', wechat, ['wechat']],
    ['both', { ...alipay(), ...wechat }, ['alipay', 'wechat']],
    ['none', { PAYMENTS: 'off' }, []],
    ['the sandbox for both', {}, undefined],
  ])('with %s knows that', async (_what, environment, methods) => {
    const till = open(environment)
    expect(till.sandbox === undefined).toBe(methods !== undefined)
    if (methods) expect([...(await till.providers()).keys()]).toEqual(methods)
  })

  it.each([
    ['a private key that is none', alipay({ ALIPAY_PRIVATE_KEY: 'abc' }), /ALIPAY_PRIVATE_KEY/],
    ['a public key that is none', { ...wechat, WECHAT_PLATFORM_KEY: 'abc' }, /WECHAT_PLATFORM_KEY/],
    ['no address providers could reach', alipay({ PUBLIC_URL: '' }), /PUBLIC_URL/],
    ['an address without https', alipay({ PUBLIC_URL: 'http://qingtu.example' }), /PUBLIC_URL/],
  ])('with %s does not open', (_what, environment, words) => {
    expect(() => open(environment)).toThrow(words)
  })

  it('asks the real Alipay, for a code of 200 pixels, with what the order says', async () => {
    const provider = (await open(alipay()).providers()).get('alipay')
    const asked = { id: '20260729abc', title: '轻图 终身会员', amountFen: 2800, expiresAt: Date.parse('2026-07-29T14:00:00+08:00') }
    const address = new URL((await provider?.order(asked)) ?? '')
    expect(address.origin + address.pathname).toBe('https://openapi.alipay.com/gateway.do')
    const query = Object.fromEntries(address.searchParams)
    expect(query).toMatchObject({
      method: 'alipay.trade.page.pay',
      notify_url: 'https://qingtu.example/api/pay/notify/alipay',
      sign_type: 'RSA2',
    })
    expect(JSON.parse(query['biz_content'] ?? '')).toEqual({
      out_trade_no: '20260729abc',
      product_code: 'FAST_INSTANT_TRADE_PAY',
      total_amount: '28.00',
      subject: '轻图 终身会员',
      time_expire: '2026-07-29 14:00:00',
      qr_pay_mode: '4',
      qrcode_width: '200',
    })
  })
})

describe('a sandbox', () => {
  it('has keys of its own, made once and readable by this user only', async () => {
    await using one = await testFolder()
    await using other = await testFolder()
    const [first, again] = await Promise.all([openSandboxKeys(one.path), openSandboxKeys(one.path)])
    expect(again).toEqual(first)
    expect(await openSandboxKeys(one.path)).toEqual(first)
    expect((await openSandboxKeys(other.path)).platform).not.toBe(first.platform)
    const file = join(one.path, 'sandbox-keys.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).toContain('PRIVATE KEY')
  })

  it('is nowhere where payments are off', async () => {
    await using server = await testServer({}, { PAYMENTS: 'off' })
    expect((await fetch(`${server.url}/sandbox/pay/x`)).status).toBe(404)
    const visitor = await Visitor.enter(server.url)
    for (const path of ['alipay', 'wxpay'])
      expect(await codeOf(await visitor.send(`/api/order/${path}`, await orderBody(visitor, 'bigWeb')))).toEqual([
        503,
        'payment.unavailable',
      ])
    expect((await fetch(`${server.url}/api/pay/notify/alipay`, { method: 'POST', body: 'a=b' })).status).toBe(503)
    expect((await fetch(server.url)).headers.get('content-security-policy')).toContain(`frame-src 'none'`)
  })
})

it('a server that takes real money lets its pages frame Alipay’s, and nothing else', () => {
  const headers = securityHeaders({ isHttps: true, storageOrigin: undefined, imageOrigins: [], payFrames: 'alipay' })
  const policy = headers['content-security-policy']
  expect(policy).toContain('frame-src https://openapi.alipay.com https://excashier.alipay.com;')
  expect(policy).toContain(`form-action 'self' https://openapi.alipay.com;`)
})
