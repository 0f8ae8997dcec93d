import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { testFolder } from '../fixtures/engine.ts'
import { refusedStart } from '../fixtures/server-process.ts'
import { codeOf, testServer, Visitor } from '../fixtures/server.ts'
import { sharedServer } from '../fixtures/shared-server.ts'
import { parseConfig } from '#server/config'
import { readSite } from '#server/site'

const shared = sharedServer()

const installer = { url: 'https://files.example.com/setup.exe', sha256: 'a'.repeat(64), bytes: 80_000_000 }
const whole = {
  company: '某某公司',
  licence: '某号',
  icp: '某备案号',
  policeNumber: '某公安备案号',
  copyright: '某版权',
  contact: '某电话',
  messagingContact: '某微信',
  serviceQr: 'https://pictures.example.com/qr.png',
}

async function fileOf(folder: string, content: unknown): Promise<string> {
  const file = join(folder, 'site.json')
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

describe('the facts of the site', () => {
  it('are nothing where nothing is told, and nothing is made up', async () => {
    await using server = await testServer({}, { FREE_IMAGES: '7', FREE_AI: '1', FREE_DOCUMENTS: '2' })
    expect(await new Visitor(server.url).read('/api/site')).toEqual({
      facts: {},
      isSandbox: true,
      hasPayments: true,
      hasWechatLogin: true,
      free: { image: 7, ai: 1, document: 2 },
    })
  })

  it('are what the file says, and the page may show its pictures', async () => {
    await using folder = await testFolder()
    const facts = { ...whole, installer, imageHost: 'https://faces.example.com/some' }
    await using server = await testServer({}, { SITE_FILE: await fileOf(folder.path, facts), PAYMENTS: 'off' })
    const response = await fetch(`${server.url}/api/site`)
    expect(await response.json()).toMatchObject({ data: { facts, isSandbox: false, hasPayments: false } })
    const policy = (await fetch(server.url)).headers.get('content-security-policy')
    expect(policy).toMatch(/img-src 'self' data: blob:[^;]* https:\/\/pictures\.example\.com https:\/\/faces\.example\.com;/)
  })

  it.each([
    ['company（公司名称）', { company: '' }],
    ['company（公司名称）', { company: 1 }],
    ['serviceQr（', { serviceQr: 'http://pictures.example.com/qr.png' }],
    ['serviceQr（', { serviceQr: 'javascript:alert(1)' }],
    ['installer（安装包', { installer: { ...installer, sha256: 'abc' } }],
    ['installer（安装包', { installer: { ...installer, url: 'http://files.example.com/setup.exe' } }],
    ['没有 telephone 这一项', { telephone: '1' }],
    ['应为一个 JSON 对象', []],
    ['不是有效的 JSON', '{"company": "a",}'],
  ])('are refused with %s', async (words, content) => {
    await using folder = await testFolder()
    const config = parseConfig({ SITE_FILE: await fileOf(folder.path, content) })
    expect(() => readSite(config)).toThrow(words)
  })

  it('are refused where there is no such file, before anything is opened', async () => {
    await using folder = await testFolder()
    const { code, text } = await refusedStart({ DATA_DIR: join(folder.path, 'data'), SITE_FILE: join(folder.path, 'none.json') })
    expect([code, text]).toEqual([1, expect.stringContaining('无法读取站点资料文件')])
  })
})

describe('a production server', () => {
  const production = { NODE_ENV: 'production', PAYMENTS: 'off' }

  it('does not start while a fact is missing, and names all that are', async () => {
    await using folder = await testFolder()
    const { company: _company, icp: _icp, ...rest } = whole
    const environment = { ...production, DATA_DIR: folder.path, SITE_FILE: await fileOf(folder.path, rest) }
    const { code, text } = await refusedStart(environment)
    expect([code, text]).toEqual([1, expect.stringContaining('company（公司名称）、icp（ICP 备案号）')])
    expect(text).not.toContain('licence')
    expect(() => readSite(parseConfig(production))).toThrow('serviceQr')
  })

  it('needs the partner’s texts where there is a partner, and no installer', async () => {
    await using folder = await testFolder()
    const SITE_FILE = await fileOf(folder.path, whole)
    expect(readSite(parseConfig({ ...production, SITE_FILE }))).toEqual(whole)
    expect(() => readSite(parseConfig({ ...production, SITE_FILE, PARTNER_MARKER: 'partner' }))).toThrow(/partnerCopyright.*partnerIcp/)
  })

  it('does not pretend payments', async () => {
    await using folder = await testFolder()
    const environment = { NODE_ENV: 'production', DATA_DIR: folder.path, SITE_FILE: await fileOf(folder.path, whole) }
    for (const PAYMENTS of ['', 'sandbox']) {
      const { code, text } = await refusedStart({ ...environment, PAYMENTS })
      expect([code, text]).toEqual([1, expect.stringContaining('沙箱支付')])
    }
  })
})

it('what is on sale is told with the tools, in yuan', async () => {
  const { plans } = await new Visitor(shared().url).read<{ plans: unknown }>('/api/tools')
  expect(plans).toEqual([
    { code: 'bigWeb', label: '终身会员', amount: 28 },
    { code: 'smallWeb', label: '按张数', amount: 9.9 },
    { code: 'retentionWeb', label: '1000 张专享', amount: 9.8 },
  ])
})

it('the site’s facts are read only', async () => {
  const visitor = await Visitor.enter(shared().url)
  expect(await codeOf(await visitor.send('/api/site', { facts: whole }))).toEqual([404, 'address.unknown'])
})
