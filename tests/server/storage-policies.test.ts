import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import OSS from 'ali-oss'
import { describe, expect, test } from 'vitest'
import { openTestStorage } from './storage/fixture.ts'
import { allows, askedBy, standInSts, type Asked } from '../fixtures/aliyun.ts'
import { root } from '#build/setup'
import { aliyunCredentials } from '#server/storage/credentials'
import { parseXml, type Element } from '#server/storage/local/xml'
import { serverPolicy, uploadPolicy, type Policy } from '#server/storage/policies'

const place = { region: 'oss-cn-shanghai', bucket: '20230612test', roleArn: 'acs:ram::1234567890:role/up' }
const keys = { accessKeyId: 'id', accessKeySecret: 'secret' }
const at = (action: string, key: string): Asked => ({ action, resource: `acs:oss:oss-cn-shanghai:1234567890:20230612test${key}` })

/** Credentials from a service that checks how it is asked. */
async function scene(given = keys) {
  const sts = await standInSts(keys)
  const clock = { aheadMs: 0 }
  // Its types know of the keys only.
  const service = { ...given, endpoint: sts.endpoint }
  const credentials = aliyunCredentials({ ...place, sts: new OSS.STS(service), now: () => Date.now() + clock.aheadMs })
  return { ...sts, clock, credentials }
}

describe('temporary keys of Aliyun', () => {
  test('are asked for under a signature, for a quarter of an hour, and tell people apart without naming them', async () => {
    await using all = await scene()
    const given = await all.credentials.issue('u/alice/')
    expect(given).toMatchObject({ AccessKeyId: 'STS.1', endpoint: 'https://oss-cn-shanghai.aliyuncs.com', sldEnable: false })
    await all.credentials.issue('u/bob/')
    const [first, second] = all.asked
    expect(first).toMatchObject({ Action: 'AssumeRole', RoleArn: place.roleArn, DurationSeconds: '900' })
    expect(first?.['RoleSessionName']).toMatch(/^qingtu-[0-9a-f]{32}$/)
    expect(second?.['RoleSessionName']).not.toBe(first?.['RoleSessionName'])
    await expect(all.credentials.issue('u/*/')).rejects.toThrow('prefix')
  })

  test('store in their own folder, over TLS, and can do nothing else', async () => {
    await using all = await scene()
    await all.credentials.issue('u/1/')
    const policy = JSON.parse(all.asked[0]?.['Policy'] ?? '') as Policy // as it was sent
    const refused = [
      ...['/u/2/a', '/u/10/a', '/u/1', '/r/1/a', ''].map((key) => at('oss:PutObject', key)),
      ...['GetObject', 'DeleteObject', 'ListParts', 'PutObjectAcl', 'PutObjectTagging', 'RestoreObject'].map((name) =>
        at(`oss:${name}`, '/u/1/a'),
      ),
      ...['ListObjects', 'ListMultipartUploads', 'PutBucketAcl', 'GetBucketInfo'].map((name) => at(`oss:${name}`, '')),
      { action: 'sts:AssumeRole', resource: place.roleArn },
      { ...at('oss:PutObject', '/u/1/a'), isSecure: false },
    ]
    expect(refused.filter((one) => allows(policy, one))).toEqual([])
    expect(allows(policy, at('oss:PutObject', '/u/1/a'))).toBe(true)
    expect(allows(policy, at('oss:AbortMultipartUpload', '/u/1/a'))).toBe(true)
  })

  test('are shared by who asks at a time or soon again, and new before the first could end', async () => {
    await using all = await scene()
    const issued = await Promise.all(Array.from({ length: 20 }, () => all.credentials.issue('u/1/')))
    all.clock.aheadMs = 3 * 60_000
    issued.push(await all.credentials.issue('u/1/'))
    expect(new Set(issued.map(({ AccessKeyId }) => AccessKeyId))).toEqual(new Set(['STS.1']))
    all.clock.aheadMs = 5 * 60_000
    expect((await all.credentials.issue('u/1/')).AccessKeyId).toBe('STS.2')
    all.clock.aheadMs = -60 * 60_000
    expect((await all.credentials.issue('u/1/')).AccessKeyId).toBe('STS.3')
  })

  test('that the service does not give are a passing fault, and asked for anew', async () => {
    await using all = await scene()
    all.state.throttled = 1
    await expect(all.credentials.issue('u/1/')).rejects.toMatchObject({ code: 'service.unavailable' })
    expect((await all.credentials.issue('u/1/')).AccessKeyId).toBe('STS.1')
    await using wrong = await scene({ ...keys, accessKeySecret: 'another' })
    await expect(wrong.credentials.issue('u/1/')).rejects.toMatchObject({ code: 'service.unavailable', cause: { status: 400 } })
    expect(wrong.asked).toEqual([])
  })
})

/** Every call the store makes, whatever it is used for. */
async function callsOfStore(): Promise<readonly Asked[]> {
  const { store, client, file, requests } = await openTestStorage()
  for (const key of ['u/1/a', 'u/1/b']) await client.initMultipartUpload(key)
  requests.length = 0
  await store.writeFile('r/1/a', await file('a', Buffer.from('small')))
  await store.writeFile('r/1/b', await file('b', randomBytes(21 * 1024 ** 2)))
  await store.head('r/ready')
  await store.peek('r/1/a', 100)
  for (const key of ['r/1/a', 'r/1/b']) (await store.read(key)).resume()
  for (const prefix of ['u/1/', 'u/', 'r/']) for await (const _ of store.list(prefix)) continue
  for await (const _ of store.partSizes('u/1/')) continue
  for (const prefix of ['u/', 'r/']) await store.abortUploadsBefore(prefix, Date.now() + 60_000)
  await store.remove(['r/1/a', 'u/1/a'])
  return requests.map(({ method, url }) => askedBy(method, url))
}

test('the server’s key may do what the store does, and nothing that it does not', async () => {
  const policy = serverPolicy(place.bucket, place.roleArn)
  const calls = await callsOfStore()
  expect(calls.filter((one) => !allows(policy, one))).toEqual([])
  const granted = policy.Statement.flatMap(({ Action }) => Action)
  expect(new Set(granted)).toEqual(new Set([...calls.map(({ action }) => action), 'sts:AssumeRole']))
  const refused = [
    at('oss:GetObject', '/other/a'),
    at('oss:PutObject', '/u/1/a'),
    { ...at('oss:ListObjects', ''), prefix: '' },
    { action: 'oss:GetObject', resource: 'acs:oss:oss-cn-shanghai:1234567890:another/u/1/a' },
  ]
  expect(refused.filter((one) => allows(policy, one))).toEqual([])
  expect(allows(policy, { action: 'sts:AssumeRole', resource: `${place.roleArn}-other` })).toBe(false)
})

test('a role may do what a browser’s uploads do, and nothing that they do not', async () => {
  const { temporary, requests } = await openTestStorage()
  const browser = await temporary('u/1/')
  await browser.put('u/1/a', Buffer.from('small'))
  await browser.multipartUpload('u/1/b', randomBytes(300_000), { partSize: 100 * 1024 })
  await browser.abortMultipartUpload('u/1/c', (await browser.initMultipartUpload('u/1/c')).uploadId)
  const calls = requests.map(({ method, url }) => askedBy(method, url))
  const policy = uploadPolicy(place.bucket, 'u/')
  expect(calls.filter((one) => !allows(policy, one))).toEqual([])
  expect(new Set(policy.Statement.flatMap(({ Action }) => Action))).toEqual(new Set(calls.map(({ action }) => action)))
})

/** Runs what is behind `npm run oss:policy`: each rule's text by its number, and what was said about it. */
async function printed(words: readonly string[], environment: Record<string, string> = {}) {
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'dist/server/oss-policy.js'), ...words], { env: environment })
  return stdout.split(/^# .*\n/m).slice(1)
}

const textsOf = (element: Element | undefined, name: string): string[] =>
  (element?.children ?? []).flatMap((child) => [...(child.name === name ? [child.text] : []), ...textsOf(child, name)])

describe('npm run oss:policy', () => {
  test('prints rules that parse, for the bucket, role and site it is told', async () => {
    const environment = { OSS_BUCKET: place.bucket, OSS_ROLE_ARN: place.roleArn, PUBLIC_URL: 'https://www.example.com/' }
    const [server = '', trust = '', role = '', lifecycle = '', cors = ''] = await printed(['--user', 'web'], environment)
    expect(JSON.parse(server)).toEqual(serverPolicy(place.bucket, place.roleArn))
    expect(JSON.parse(role)).toEqual(uploadPolicy(place.bucket, 'u/'))
    expect(JSON.parse(trust)).toMatchObject({ Statement: [{ Principal: { RAM: ['acs:ram::1234567890:user/web'] } }] })
    const rules = parseXml(lifecycle.trim())
    expect([textsOf(rules, 'Prefix'), textsOf(rules, 'Days')]).toEqual([
      ['u/', 'r/'],
      ['1', '1', '1', '1'],
    ])
    const [xml = '', remarks = ''] = cors.split('\n\n另外')
    expect(textsOf(parseXml(xml.trim()), 'AllowedOrigin')).toEqual(['https://www.example.com'])
    expect(remarks).toContain('私有')
  })

  test('says what it has not been told', async () => {
    const failure = printed(['--bucket', 'a_b', '--origin', '*'])
    await expect(failure).rejects.toMatchObject({ code: 2, stderr: expect.stringMatching(/OSS_BUCKET[^]*OSS_ROLE_ARN[^]*PUBLIC_URL/) })
  })
})
