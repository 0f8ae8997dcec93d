import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bucket, openTestStorage, send } from './fixture.ts'

const text = Buffer.from('some bytes')

test.each([
  '../a',
  'a/../../b',
  './a',
  'a//b',
  'a/',
  '%2e%2e/a',
  'C:/a',
  'a\\b',
  'a\0b',
  '猫',
  'a b',
  'x'.repeat(121),
  `${'a/'.repeat(500)}a`,
])('the key %j is refused', async (key) => {
  const { client, port, sign, folder, faults } = await openTestStorage()
  await client.put('b', text)
  for (const method of ['PUT', 'GET', 'DELETE', 'HEAD'] as const) {
    const { status, code, headers } = await send(port, method, await sign(method, key), method === 'PUT' ? { body: 'x' } : {})
    const told = method === 'HEAD' ? /<Code>(\w+)/.exec(Buffer.from(String(headers['x-oss-err']), 'base64').toString())?.[1] : code
    expect([status, told]).toEqual([400, 'InvalidObjectName'])
  }
  expect(faults).toEqual([])
  await expect(readdir(join(folder, 'objects'))).resolves.toEqual(['o-b'])
})

describe('a malformed request is answered with its own fault:', () => {
  const signed = { method: 'GET', key: 'a', queries: {}, headers: {}, body: '' } as const
  const parts = `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>${'A'.repeat(32)}</ETag></Part></CompleteMultipartUpload>`
  test.each<[string, number, string, Partial<Record<keyof typeof signed, unknown>>]>([
    ['too long a token', 400, 'InvalidArgument', { key: '', queries: { 'list-type': '2', 'continuation-token': '%%%' } }],
    ['max-keys of words', 400, 'InvalidArgument', { key: '', queries: { 'list-type': '2', 'max-keys': 'all' } }],
    ['max-keys of 0', 400, 'InvalidArgument', { key: '', queries: { 'list-type': '2', 'max-keys': '0' } }],
    ['a delimiter', 400, 'NotImplemented', { key: '', queries: { 'list-type': '2', delimiter: '/' } }],
    ['the first listing', 400, 'NotImplemented', { key: '', queries: { prefix: 'a' } }],
    ['an image process', 400, 'NotImplemented', { queries: { 'x-oss-process': 'image/resize,w_1' } }],
    ['an answer’s header that no header can be', 400, 'InvalidArgument', { queries: { 'response-content-type': 'a\r\nset-cookie: b' } }],
    ['a copy', 400, 'NotImplemented', { method: 'PUT', headers: { 'x-oss-copy-source': `/${bucket}/b` } }],
    ['POST without a purpose', 400, 'NotImplemented', { method: 'POST' }],
    ['PUT of the bucket', 405, 'MethodNotAllowed', { method: 'PUT', key: '' }],
    ['PATCH', 405, 'MethodNotAllowed', { method: 'PATCH' }],
    ['a part number of words', 400, 'InvalidArgument', { method: 'PUT', queries: { partNumber: 'one', uploadId: 'x' } }],
    ['a part number above 10000', 400, 'InvalidArgument', { method: 'PUT', queries: { partNumber: '10001', uploadId: 'x' } }],
    ['a part of no upload', 404, 'NoSuchUpload', { method: 'PUT', queries: { partNumber: '1', uploadId: '../../x' } }],
    ['completing no upload', 404, 'NoSuchUpload', { method: 'POST', queries: { uploadId: 'A'.repeat(32) }, body: parts }],
    ['an ETag that is none', 400, 'InvalidPart', { method: 'POST', queries: { uploadId: 'A'.repeat(32) }, body: parts.replace(/A+/, 'A') }],
    ['no XML', 400, 'MalformedXML', { method: 'POST', queries: { uploadId: 'A'.repeat(32) }, body: 'parts, please' }],
    ['XML cut off', 400, 'MalformedXML', { method: 'POST', queries: { uploadId: 'A'.repeat(32) }, body: parts.slice(0, -9) }],
    [
      'an unknown entity',
      400,
      'MalformedXML',
      { method: 'POST', key: '', queries: { delete: null }, body: '<Delete><Object><Key>&x;</Key></Object></Delete>' },
    ],
    [
      'a DOCTYPE',
      400,
      'MalformedXML',
      { method: 'POST', key: '', queries: { delete: null }, body: '<!DOCTYPE a [<!ENTITY x "y">]><Delete/>' },
    ],
    ['deep XML', 400, 'MalformedXML', { method: 'POST', key: '', queries: { delete: null }, body: '<a>'.repeat(300_000) }],
    ['huge XML', 400, 'EntityTooLarge', { method: 'POST', key: '', queries: { delete: null }, body: 'x'.repeat(3 * 1024 ** 2) }],
    [
      'parts out of order',
      400,
      'InvalidPartOrder',
      { method: 'POST', queries: { uploadId: 'A'.repeat(32) }, body: parts.replace(/(<Part>.*<\/Part>)/, '$1$1') },
    ],
    ['a wrong digest', 400, 'InvalidDigest', { method: 'PUT', headers: { 'content-md5': 'AAAA' }, body: 'x' }],
  ])('%s', async (_title, status, code, wanted) => {
    const { port, client, sign, faults, temps } = await openTestStorage()
    await client.put('a', text)
    // The table's own shape.
    const { method, key, queries, headers, body } = { ...signed, ...wanted } as Record<'method' | 'key' | 'body', string> &
      Record<'queries' | 'headers', object>
    const path = await sign(method, key, queries, headers)
    const answer = await send(port, method, path, { headers: { ...headers }, body })
    expect(answer.code).toMatch(new RegExp(`^(${code})$`))
    expect(answer.status).toBe(status)
    expect(faults).toEqual([])
    await expect(temps()).resolves.toEqual([])
    await expect(client.get('a')).resolves.toMatchObject({ content: text })
  })

  test.each([
    ['%zz in a key', `/${bucket}/%zz`, 400, 'InvalidURI'],
    ['a cut UTF-8 sequence', `/${bucket}/%E7%8C`, 400, 'InvalidURI'],
    ['%zz in the query', `/${bucket}/a?x=%zz`, 400, 'InvalidURI'],
    ['a parameter twice', `/${bucket}/a?uploads&uploads`, 400, 'InvalidArgument'],
    ['an empty signature', `/${bucket}/a?x-oss-signature`, 400, 'InvalidRequest'],
    [
      'a date of no month',
      `/${bucket}/a?x-oss-signature=a&x-oss-signature-version=OSS4-HMAC-SHA256&x-oss-expires=9&x-oss-date=20249999T000000Z`,
      400,
      'InvalidArgument',
    ],
  ])('%s', async (_title, path, status, code) => {
    const { port } = await openTestStorage()
    await expect(send(port, 'GET', path)).resolves.toMatchObject({ status, code })
  })

  test('the same header twice', async () => {
    const { port, faults } = await openTestStorage()
    const twice = ['authorization', 'x-oss-date', 'range', 'x-oss-meta-a'].flatMap((name) => [name, 'OSS4-HMAC-SHA256 a', name, 'b'])
    const headers = ['host', 'localhost', ...twice]
    await expect(send(port, 'GET', `/${bucket}/a`, { headers })).resolves.toMatchObject({ status: 400, code: 'InvalidArgument' })
    expect(faults).toEqual([])
  })

  test('what is not the bucket’s is left to others', async () => {
    const { port } = await openTestStorage()
    for (const path of ['/', '/api/jobs', `/${bucket}2/a`, `//${bucket}/a`, `/x/${bucket}/a`])
      expect((await send(port, 'GET', path)).status).toBe(418)
  })
})
