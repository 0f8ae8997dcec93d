import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { photo } from '../fixtures/pictures.ts'
import { codeOf, testServer, Visitor, type TestServer } from '../fixtures/server.ts'

const options = { goal: { by: 'quality', quality: 70 } }

describe('uploads', () => {
  let server: TestServer
  beforeAll(async () => (server = await testServer()))
  afterAll(() => server[Symbol.asyncDispose]())

  const jobOf = (visitor: Visitor, key: string): Promise<Response> =>
    visitor.send('/api/jobs', { tool: 'compress-image', options, inputs: [{ key, name: 'a.jpg' }] })

  it('row 17: need a session, reach nobody else’s folder, read and remove nothing, and their secrets stay off the disk', async () => {
    expect(await codeOf(await new Visitor(server.url).send('/api/sts', {}))).toEqual([401, 'session.expired'])
    const [mine, theirs] = [await Visitor.enter(server.url), await Visitor.enter(server.url)]
    const own = await mine.upload(Buffer.from('mine'))
    const foreign = await theirs.upload(Buffer.from('theirs'))
    const { client, prefix } = await mine.storage()
    expect(own.startsWith(prefix)).toBe(true)
    expect(foreign.startsWith(prefix)).toBe(false)
    const refused = { status: 403 }
    await expect(client.put(foreign, Buffer.from('mine now'))).rejects.toMatchObject(refused)
    await expect(client.put(`${prefix}../../secret`, Buffer.from('x'))).rejects.toMatchObject({
      status: expect.toSatisfy((status) => status >= 400),
    })
    for (const key of [own, foreign]) {
      await expect(client.get(key)).rejects.toMatchObject(refused)
      await expect(client.delete(key)).rejects.toMatchObject(refused)
    }
    const { SecurityToken = '', AccessKeySecret = '' } = await mine.post<Record<string, string>>('/api/sts', {})
    const files = readdirSync(server.folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(server.folder, name))
      .filter((path) => statSync(path).isFile())
    for (const secret of [SecurityToken, AccessKeySecret]) {
      expect(secret).not.toBe('')
      expect(files.filter((path) => readFileSync(path).includes(secret))).toEqual([])
    }
  })

  it('row 18: are worked on for their owner only, by what they hold and not by what they are called', async () => {
    const [mine, theirs] = [await Visitor.enter(server.url), await Visitor.enter(server.url)]
    const key = await theirs.upload(await photo(64, 64, 3, 1).jpeg().toBuffer())
    expect(await codeOf(await jobOf(mine, key))).toEqual([404, 'upload.missing'])
    expect(await codeOf(await jobOf(mine, `${key}/../other`))).toEqual([404, 'upload.missing'])
    const html = await mine.upload(Buffer.from('<html><script>alert(1)</script></html>'))
    expect(await codeOf(await jobOf(mine, html))).toEqual([415, 'file.unsupported'])
    expect((await jobOf(theirs, key)).status).toBe(200)
  })
})
