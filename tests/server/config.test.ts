import { expect, it } from 'vitest'
import { parseConfig } from '#server/config'
import { configHelp } from '#server/variables'

it('an empty environment gives a server on this machine with everything embedded', () => {
  expect(parseConfig({})).toMatchObject({ port: 8080, host: '127.0.0.1', databaseUrl: undefined, cloudStorage: undefined, hasDocs: true })
})

it('an empty variable counts as one that is not there', () => {
  expect(parseConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ port: 8080, databaseUrl: undefined })
})

it('a group of which only a part is set is refused, naming what is missing', () => {
  const some = { OSS_REGION: 'oss-cn-shanghai', OSS_BUCKET: 'b' }
  expect(() => parseConfig(some)).toThrow(/OSS_ROLE_ARN、OSS_ACCESS_KEY_ID、OSS_ACCESS_KEY_SECRET/)
  const all = { ...some, OSS_ROLE_ARN: 'r', OSS_ACCESS_KEY_ID: 'i', OSS_ACCESS_KEY_SECRET: 's' }
  expect(parseConfig(all).cloudStorage).toEqual({
    region: 'oss-cn-shanghai',
    bucket: 'b',
    roleArn: 'r',
    accessKeyId: 'i',
    accessKeySecret: 's',
  })
})

it.each([
  { PORT: '70000' },
  { PUBLIC_URL: 'javascript:alert(1)' },
  { DATABASE_URL: 'mysql://x' },
  { WORKERS: '-1' },
  { ROLE: 'boss' },
  { AI_WORKERS: 'many' },
  { AI_THREADS: '0' },
  { LOG_LEVEL: 'loud' },
])('%j is refused by name', (environment) => {
  expect(() => parseConfig(environment)).toThrow(Object.keys(environment)[0])
})

it('a refusal does not repeat the value, which may be a secret', () => {
  expect(() => parseConfig({ SECRET_KEY: 'hunter2' })).toThrow(expect.not.objectContaining({ message: expect.stringContaining('hunter2') }))
})

it('the help names every variable', () => {
  for (const name of [
    'PORT',
    'DATA_DIR',
    'DATABASE_URL',
    'OSS_BUCKET',
    'SECRET_KEY',
    'METRICS_TOKEN',
    'TRUSTED_PROXIES',
    'MODELS_DIR',
    'AI_WORKERS',
    'AI_THREADS',
  ])
    expect(configHelp()).toContain(name)
})

const someAlipay = { ALIPAY_APP_ID: '1', ALIPAY_SELLER_ID: '2', ALIPAY_PRIVATE_KEY: '3', ALIPAY_PUBLIC_KEY: '4' }

it.each([
  [{}, 'sandbox'],
  [{ PAYMENTS: 'off' }, 'off'],
  [{ PAYMENTS: 'sandbox' }, 'sandbox'],
  [{ PUBLIC_URL: 'https://qingtu.example' }, 'off'],
  [{ PUBLIC_URL: 'https://qingtu.example', PAYMENTS: 'sandbox' }, 'sandbox'],
  [someAlipay, 'real'],
  [{ ...someAlipay, PAYMENTS: 'off' }, 'off'],
  [{ PAYMENTS: 'off', NODE_ENV: 'production' }, 'off'],
] as const)('%j pays at %s', (environment, kind) => {
  expect(parseConfig(environment).payments.kind).toBe(kind)
})

it.each([
  ['real keys and the sandbox together', { ...someAlipay, PAYMENTS: 'sandbox' }, /不能同时使用沙箱支付/],
  ['a sandbox in production', { NODE_ENV: 'production' }, /正式环境.*不能使用沙箱支付/],
  ['half of the keys', { ...someAlipay, ALIPAY_PUBLIC_KEY: '' }, /ALIPAY_PUBLIC_KEY/],
  ['a key for WeChat of another length', { WECHAT_API_V3_KEY: 'short' }, /WECHAT_API_V3_KEY/],
])('%s are refused', (_what, environment, words) => {
  expect(() => parseConfig(environment)).toThrow(words)
})

const secret = { SECRET_KEY: 'one secret for all of these processes' }
const remote = { DATABASE_URL: 'postgres://nobody@localhost/none', ...secret }
const elsewhere = { STORAGE_URL: 'http://localhost:1' }

it.each([
  [{ ROLE: 'api', ...secret }, 'DATABASE_URL'],
  [{ ROLE: 'worker', ...secret }, 'DATABASE_URL'],
  [{ ROLE: 'api', DATABASE_URL: remote.DATABASE_URL }, 'SECRET_KEY'],
  [{ ROLE: 'storage' }, 'SECRET_KEY'],
  [{ ROLE: 'worker', ...remote }, 'STORAGE_URL'],
  [{ ROLE: 'api', ...remote, ...elsewhere }, 'PUBLIC_URL'],
  [{ ...secret, ...elsewhere }, 'PUBLIC_URL'],
  [{ ROLE: 'worker', ...remote, ...elsewhere, WORKERS: '0' }, 'DOCUMENT_WORKERS'],
  [{ AI_WORKERS: '0' }, 'AI_WORKERS'],
])('a process with %j could not do its part, and says what is missing', (environment, name) => {
  expect(() => parseConfig(environment)).toThrow(name)
})

it.each(['api', 'worker'])('a process of role %s takes its database and its files from elsewhere', (role) => {
  const site = role === 'api' ? { PUBLIC_URL: 'https://qingtu.example' } : {}
  expect(parseConfig({ ROLE: role, ...remote, ...elsewhere, ...site })).toMatchObject({ role, storageUrl: elsewhere.STORAGE_URL })
})
