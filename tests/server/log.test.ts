import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { photo } from '../fixtures/pictures.ts'
import { serverProcess } from '../fixtures/server-process.ts'
import { testFolder, toSize } from '../fixtures/engine.ts'
import { Visitor } from '../fixtures/server.ts'

it('the log tells of every request and of no secret', async () => {
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
  await server.end('SIGTERM')

  const text = lines.join('')
  expect(text).toContain('"route":"/api/jobs"')
  expect(text).toContain('"route":"/f/:id/:n"')
  const signature = new URL(output?.url ?? '', server.url).searchParams.get('s') ?? ''
  const { AccessKeySecret = '', SecurityToken = '' } = credentials
  const secrets = { userid, ticket, signature, AccessKeySecret, SecurityToken, name: '身份证', ...Object.fromEntries(visitor.cookies) }
  const told = Object.entries(secrets).filter(([, secret]) => secret.length < 2 || text.includes(secret))
  expect(told.map(([name]) => name)).toEqual([])
})
