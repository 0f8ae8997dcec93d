import { describe, expect, test } from 'vitest'
import { bucket, connect, keysOf, openTestStorage, send } from './fixture.ts'

const text = Buffer.from('some bytes')

describe('a signed request', () => {
  test('is refused when its secret or its key is another', async () => {
    const { client, port, own } = await openTestStorage()
    const wrongSecret = connect(port, { ...own, accessKeySecret: 'x'.repeat(64) })
    const wrongKey = connect(port, { ...own, accessKeyId: 'LTAI1234567890' })
    await expect(wrongSecret.put('a', text)).rejects.toMatchObject({ status: 403, code: 'SignatureDoesNotMatch' })
    await expect(wrongKey.put('a', text)).rejects.toMatchObject({ status: 403, code: 'InvalidAccessKeyId' })
    await expect(client.head('a')).rejects.toMatchObject({ status: 404, code: 'NoSuchKey' })
  })

  test('is refused when the clocks are further apart than a quarter of an hour', async () => {
    let ahead = 14 * 60_000
    const { client } = await openTestStorage({ now: () => Date.now() + ahead })
    await client.put('a', text)
    ahead = 16 * 60_000
    await expect(client.put('a', text)).rejects.toMatchObject({ status: 403, code: 'RequestTimeTooSkewed' })
    ahead = -16 * 60_000
    await expect(client.put('a', text)).rejects.toMatchObject({ status: 403, code: 'RequestTimeTooSkewed' })
  })

  test('is refused without a signature, with the old one, for another region, and signed twice', async () => {
    const { own, port, sign } = await openTestStorage()
    const old = connect(port, own, { authorizationV4: false })
    const elsewhere = connect(port, own, { region: 'oss-cn-beijing' })
    await expect(send(port, 'GET', `/${bucket}/a`)).resolves.toMatchObject({ status: 403, code: 'AccessDenied' })
    await expect(old.put('a', text)).rejects.toMatchObject({ status: 400, code: 'InvalidRequest' })
    await expect(elsewhere.put('a', text)).rejects.toMatchObject({ status: 400, code: 'InvalidArgument' })
    const twice = await send(port, 'GET', await sign('GET', 'a'), { headers: { authorization: 'OSS4-HMAC-SHA256 x' } })
    expect(twice).toMatchObject({ status: 400, code: 'InvalidArgument' })
  })
})

describe('a signed URL', () => {
  test('serves the object, with the headers it asks for, and only as it was signed', async () => {
    const { client, port, sign } = await openTestStorage()
    await client.put('u/1/cat.txt', text)
    const asked = { 'response-content-disposition': "inline; filename*=UTF-8''%E7%8C%AB.txt", 'response-content-type': 'text/plain' }
    const path = await sign('GET', 'u/1/cat.txt', asked)
    const answer = await send(port, 'GET', path)
    expect(answer).toMatchObject({ status: 200, body: text })
    expect(answer.headers).toMatchObject({
      'content-disposition': asked['response-content-disposition'],
      'content-type': 'text/plain',
      'x-content-type-options': 'nosniff',
    })
    for (const [method, tampered] of [
      ['GET', path.replace('cat.txt', 'dog.txt')],
      ['GET', path.replace('inline', 'attachment')],
      ['GET', path.replace('x-oss-expires=60', 'x-oss-expires=6000')],
      ['GET', path.replace(/x-oss-signature=\w/, (start) => `${start.slice(0, -1)}${start.endsWith('0') ? 1 : 0}`)],
      ['HEAD', path],
      ['PUT', path],
      ['DELETE', path],
    ] as const) {
      const { status } = await send(port, method, tampered)
      expect([method, status]).toEqual([method, 403])
    }
    await expect(client.get('u/1/cat.txt')).resolves.toMatchObject({ content: text })
  })

  test('takes an upload signed for PUT', async () => {
    const { client, port, sign } = await openTestStorage()
    await expect(send(port, 'PUT', await sign('PUT', 'a'), { body: text })).resolves.toMatchObject({ status: 200 })
    await expect(client.get('a')).resolves.toMatchObject({ content: text })
  })

  test('ends when its time is over', async () => {
    let ahead = 0
    const { client, port, sign } = await openTestStorage({ now: () => Date.now() + ahead })
    await client.put('a', text)
    const path = await sign('GET', 'a', {}, {}, 60)
    ahead = 50_000
    await expect(send(port, 'GET', path)).resolves.toMatchObject({ status: 200 })
    ahead = 62_000
    await expect(send(port, 'GET', path)).resolves.toMatchObject({ status: 403, code: 'AccessDenied' })
  })
})

describe('temporary credentials', () => {
  test('store below their prefix, whole and in parts, and nowhere else', async () => {
    const { client, temporary } = await openTestStorage()
    const own = await temporary('u/1/')
    await own.put('u/1/a', text)
    await expect(client.get('u/1/a')).resolves.toMatchObject({ content: text })
    const { uploadId } = await own.initMultipartUpload('u/1/b')
    await expect(own.listParts('u/1/b', uploadId)).rejects.toMatchObject({ status: 403, code: 'AccessDenied' })
    for (const key of ['u/2/a', 'u/1', 'u/10/a', 'u/1x', 'r/1/a'])
      await expect(own.put(key, text)).rejects.toMatchObject({ status: 403, code: 'AccessDenied' })
    await expect(own.initMultipartUpload('u/2/a')).rejects.toMatchObject({ status: 403, code: 'AccessDenied' })
    const foreign = await client.initMultipartUpload('u/2/b')
    await expect(own.abortMultipartUpload('u/2/b', foreign.uploadId)).rejects.toMatchObject({ status: 403 })
    await expect(own.abortMultipartUpload('u/1/b', foreign.uploadId)).rejects.toMatchObject({ status: 404, code: 'NoSuchUpload' })
    await own.abortMultipartUpload('u/1/b', uploadId)
  })

  test('may not read, list or delete, not even what they stored', async () => {
    const { client, temporary } = await openTestStorage()
    const own = await temporary('u/1/')
    await own.put('u/1/a', text)
    const denied = { status: 403, code: 'AccessDenied' }
    await expect(own.get('u/1/a')).rejects.toMatchObject(denied)
    await expect(own.head('u/1/a')).rejects.toMatchObject(denied)
    await expect(own.delete('u/1/a')).rejects.toMatchObject(denied)
    await expect(own.deleteMulti(['u/1/a'])).rejects.toMatchObject(denied)
    await expect(own.listV2({ prefix: 'u/1/' })).rejects.toMatchObject(denied)
    await expect(own.listUploads({ prefix: 'u/1/' })).rejects.toMatchObject(denied)
    await expect(client.head('u/1/a')).resolves.toMatchObject({ status: 200 })
  })

  test('end after a quarter of an hour, and outlive a restart until then', async () => {
    let ahead = 0
    const now = (): number => Date.now() + ahead
    const { credentials, folder } = await openTestStorage({ now })
    const issued = await credentials.issue('u/1/')
    const after = await openTestStorage({ now, folder })
    const own = connect(after.port, keysOf(issued))
    await own.put('u/1/a', text)
    ahead = Date.parse(issued.Expiration) - Date.now() - 1000
    await own.put('u/1/a', text)
    ahead += 2000
    // The request's own clock has to agree for the token to be looked at.
    const punctual = connect(after.port, keysOf(issued), { amendTimeSkewed: ahead })
    await expect(punctual.put('u/1/a', text)).rejects.toMatchObject({ status: 403, code: 'SecurityTokenExpired' })
  })

  test('fall with their token: another’s, an altered or none, and the server’s key takes none', async () => {
    const { own, credentials, port } = await openTestStorage()
    const keys = keysOf(await credentials.issue('u/1/'))
    const others = keysOf(await credentials.issue('u/2/'))
    const [payload = '', mac] = keys.stsToken.split('.')
    const claims: object = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const widened = Buffer.from(JSON.stringify({ ...claims, prefix: 'u/' })).toString('base64url')
    const refused = { status: 403, code: 'InvalidSecurityToken' }
    for (const stsToken of [others.stsToken, `${widened}.${mac}`, `${payload}.`, `${keys.stsToken}.`, 'x'])
      await expect(connect(port, { ...keys, stsToken }).put('u/1/a', text)).rejects.toMatchObject(refused)
    const { accessKeyId, accessKeySecret } = keys
    await expect(connect(port, { accessKeyId, accessKeySecret }).put('u/1/a', text)).rejects.toMatchObject({ code: 'InvalidAccessKeyId' })
    await expect(connect(port, { ...own, stsToken: keys.stsToken }).put('u/1/a', text)).rejects.toMatchObject(refused)
  })

  test('are not given for a prefix that is no folder of one’s own', async () => {
    const { credentials } = await openTestStorage()
    for (const prefix of ['', '/', 'u', 'u/*/', 'u/1', 'u/../', 'u//', 'u/?/'])
      await expect(credentials.issue(prefix)).rejects.toThrow('prefix')
  })
})

test('other origins get no answer a page may read, unless they are configured', async () => {
  const { port, sign, client } = await openTestStorage({ origins: ['https://a.example'] })
  await client.put('a', text)
  const from = (origin: string) => ({ headers: { origin, 'access-control-request-headers': 'authorization,x-oss-date' } })
  const path = await sign('GET', 'a')
  const allowed = await send(port, 'OPTIONS', path, from('https://a.example'))
  expect(allowed.headers).toMatchObject({
    'access-control-allow-origin': 'https://a.example',
    'access-control-allow-headers': 'authorization,x-oss-date',
  })
  expect((await send(port, 'GET', path, from('https://a.example'))).headers['access-control-expose-headers']).toBe('ETag, x-oss-request-id')
  await expect(send(port, 'OPTIONS', path, from('https://b.example'))).resolves.toMatchObject({ status: 403, code: 'AccessForbidden' })
  const foreign = await send(port, 'GET', path, from('https://b.example'))
  expect(foreign.headers).not.toHaveProperty('access-control-allow-origin')
})
