import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pagePolicy } from '#electron/policy'
import { answerPage } from '#electron/protocol'
import { testFolder } from '../fixtures/engine.ts'

const SERVER = 'https://qingtu.example'

/** A built page beside something secret, and who was asked what. */
async function site(folder: { readonly path: string }) {
  await mkdir(join(folder.path, 'site', 'assets'), { recursive: true })
  await writeFile(join(folder.path, 'secret.txt'), 'secret')
  for (const name of ['index.html', 'assets/a-1.js', 'icon.svg', 'assets/a-1.js.br']) await writeFile(join(folder.path, 'site', name), name)
  const asked: string[] = []
  const answering = (who: string) => ({
    handle: async ({ url, method }: Request) => {
      asked.push(`${who} ${method} ${new URL(url).pathname}`)
      return Response.json({ data: who }, { headers: { 'content-security-policy': `default-src *` } })
    },
  })
  const policy = (): string => pagePolicy(SERVER, [])
  const siteFolder = join(folder.path, 'site')
  const noticesFile = join(folder.path, 'notices.txt')
  const others = { local: answering('local'), forward: answering('forward'), policy, log: () => {} }
  const answer = answerPage({ siteFolder, noticesFile, server: SERVER, ...others })
  return { asked, get: (path: string, init?: RequestInit) => answer(new Request(`app://qingtu${path}`, init)) }
}

describe('the page’s own origin', () => {
  it('serves the built page, at all its addresses, under its policy', async () => {
    await using folder = await testFolder()
    const { get } = await site(folder)
    for (const path of ['/', '/index.html', '/compress/image', '/convert/heictojpg?a=1', '/callback/wxlogin?ticket=x']) {
      const answer = await get(path)
      expect([await answer.text(), answer.headers.get('content-type')]).toEqual(['index.html', 'text/html; charset=utf-8'])
      expect(answer.headers.get('content-security-policy')).toBe(pagePolicy(SERVER, []))
    }
    const script = await get('/assets/a-1.js')
    expect([await script.text(), script.headers.get('content-type')]).toEqual(['assets/a-1.js', 'text/javascript; charset=utf-8'])
    expect((await get('/icon.svg')).headers.get('content-security-policy')).toContain('sandbox')
  })

  it('has the licences that lie beside the program', async () => {
    await using folder = await testFolder()
    const { get } = await site(folder)
    expect((await get('/third-party-notices.txt')).status).toBe(404)
    await writeFile(join(folder.path, 'notices.txt'), '许可')
    const answer = await get('/third-party-notices.txt')
    expect([await answer.text(), answer.headers.get('content-type')]).toEqual(['许可', 'text/plain; charset=utf-8'])
  })

  it.each([
    '/assets/none.js',
    '/pdfjs/none.wasm',
    '/..%2fsecret.txt',
    '/assets/..%2f..%2fsecret.txt',
    '/%2e%2e%2fsecret.txt',
    '/assets/..%5c..%5csecret.txt',
    '/C%3a/secret.txt',
    '/%00',
    '/%',
  ])('has nothing at %s', async (path) => {
    await using folder = await testFolder()
    const { get } = await site(folder)
    const answer = await get(path)
    expect(answer.status).toBe(404)
    expect(await answer.text()).not.toContain('secret')
  })

  it('asks this computer for jobs and files, and the server for the rest', async () => {
    await using folder = await testFolder()
    const { asked, get } = await site(folder)
    const paths = [
      '/api/jobs',
      '/api/jobs/events?after=1',
      '/local/results/1/0',
      '/api/jobsite',
      '/api/user/tourist',
      '/healthz',
      '/qr.png',
    ]
    for (const path of paths) await get(path)
    await get('/api/jobs', { method: 'POST', body: '{}' })
    expect(asked).toEqual([
      'local GET /api/jobs',
      'local GET /api/jobs/events',
      'local GET /local/results/1/0',
      'forward GET /api/jobsite',
      'forward GET /api/user/tourist',
      'forward GET /healthz',
      'forward GET /qr.png',
      'local POST /api/jobs',
    ])
  })

  it('lets no answer be a document with rights of its own', async () => {
    await using folder = await testFolder()
    const { get } = await site(folder)
    for (const path of ['/api/jobs', '/api/devices']) {
      const { headers } = await get(path)
      expect(headers.get('content-security-policy')).toBe(`default-src 'none'; sandbox; frame-ancestors 'none'`)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  it('leads a frame to the server for the page one pays on, and nowhere else', async () => {
    await using folder = await testFolder()
    const { get } = await site(folder)
    const answer = await get('/sandbox/pay/abc?x=1')
    expect([answer.status, answer.headers.get('location')]).toEqual([302, `${SERVER}/sandbox/pay/abc?x=1`])
    expect((await get('/sandbox/pay/abc', { method: 'POST', body: 'x' })).status).toBe(404)
  })

  it('has no part for operators, and no other host', async () => {
    await using folder = await testFolder()
    const { asked, get } = await site(folder)
    expect((await get('/paid')).status).toBe(404)
    expect((await get('/api/operator/login', { method: 'POST', body: '{}' })).status).toBe(404)
    expect((await get('.example/index.html')).status).toBe(404)
    expect(asked).toEqual([])
  })
})
