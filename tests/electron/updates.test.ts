import { execFile } from 'node:child_process'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { root } from '#build/setup'
import type { Installer } from '#electron/updates/installer'
import { readManifest } from '#electron/updates/manifest'
import { SignedUpdates } from '#electron/updates/updates'
import type { UpdateState } from '#shared/desktop'
import { testFolder } from '../fixtures/engine.ts'
import { manifestOf } from '../fixtures/update.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const key = publicKey.export({ format: 'jwk' }).x ?? ''
const signed = (text: string): string => sign(null, Buffer.from(text), privateKey).toString('base64')

describe('the manifest of updates', () => {
  const text = manifestOf('1.2.4', Buffer.from('installer'))

  test('is read when the operator has signed it', () => {
    expect(readManifest(text, `${signed(text)}\n`, key)).toMatchObject({ version: '1.2.4', files: [{ url: 'qingtu-1.2.4-x64.exe' }] })
  })

  test.each([
    ['was changed after it was signed', text.replace('1.2.4', '1.2.5'), signed(text), key],
    ['has no signature', text, '', key],
    ['has the signature of another text', text, signed('another'), key],
    ['was signed by somebody else', text, signed(text), generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x ?? ''],
  ])('is not read when it %s', (_why, given, signature, by) => {
    expect(() => readManifest(given, signature, by)).toThrow('not signed')
  })

  test.each([
    ['an installer elsewhere', text.replace('url: ', 'url: https://elsewhere.example/')],
    ['an installer in another folder', text.replace('url: ', 'url: ../')],
    ['no hash', text.replace(/sha512: \S+/, "sha512: ''")],
    ['a version that is none', text.replace('version: 1.2.4', 'version: latest')],
  ])('is refused when it names %s, signed or not', (_what, given) => {
    expect(() => readManifest(given, signed(given), key)).toThrow(/"path"/)
  })
})

/** Updates whose installer does as it is told, with all states they went through. */
function updatesOf(installer: Partial<Installer>) {
  const states: UpdateState[] = []
  let opened = 0
  const open = (): Promise<Installer> => {
    opened += 1
    return Promise.resolve({ find: () => Promise.resolve(undefined), fetch: () => Promise.resolve(), install: () => {}, ...installer })
  }
  const updates = new SignedUpdates({ open, tell: (state) => states.push(state), log: () => {} })
  return { updates, states, timesOpened: () => opened }
}

describe('updates', () => {
  test('load nothing before somebody asks', () => {
    const { updates, timesOpened } = updatesOf({})
    expect(updates.state).toEqual({ at: 'idle' })
    expect(timesOpened()).toBe(0)
  })

  test('are found, fetched and installed, each when it is asked for', async () => {
    let installs = 0
    const fetch = async (tell: (fraction: number) => void): Promise<void> => tell(0.5)
    const { updates, states, timesOpened } = updatesOf({
      find: () => Promise.resolve('1.2.4'),
      fetch,
      install: () => void (installs += 1),
    })
    updates.install()
    expect(await updates.download()).toEqual({ at: 'idle' })
    await updates.check()
    await updates.download()
    expect(states).toEqual([
      { at: 'checking' },
      { at: 'found', version: '1.2.4' },
      { at: 'downloading', version: '1.2.4', fraction: 0 },
      { at: 'downloading', version: '1.2.4', fraction: 0.5 },
      { at: 'ready', version: '1.2.4' },
    ])
    expect(await updates.check()).toEqual({ at: 'ready', version: '1.2.4' })
    updates.install()
    await expect.poll(() => installs).toBe(1)
    expect(timesOpened()).toBe(1)
  })

  test('that fail are told as such and can be tried again', async () => {
    let isThere = false
    const { updates } = updatesOf({ find: () => (isThere ? Promise.resolve(undefined) : Promise.reject(new Error('offline'))) })
    expect(await updates.check()).toEqual({ at: 'failed' })
    isThere = true
    expect(await updates.check()).toEqual({ at: 'current' })
  })
})

describe('npm run sign-update', () => {
  const run = (args: readonly string[], env: Record<string, string> = {}) =>
    promisify(execFile)(process.execPath, [join(root, 'build/sign-update.mjs'), ...args], { env: { ...process.env, ...env } })

  test('makes keys once, and signs what the client accepts', async () => {
    await using folder = await testFolder()
    const [pem, manifest] = [join(folder.path, 'key.pem'), join(folder.path, 'latest.yml')]
    const { stdout } = await run(['keys', pem])
    await expect(run(['keys', pem])).rejects.toThrow('Command failed')
    const [, made = ''] = /UPDATES_KEY=(\S+)/.exec(stdout) ?? []
    const installer = Buffer.from('an installer')
    await writeFile(join(folder.path, 'qingtu-1.2.4-x64.exe'), installer)
    await writeFile(manifest, manifestOf('1.2.4', installer))
    await run([manifest], { UPDATES_SIGNING_KEY: pem })
    const [text, signature] = await Promise.all([readFile(manifest, 'utf8'), readFile(`${manifest}.sig`, 'utf8')])
    const [file] = readManifest(text, signature, made).files
    expect(file?.sha512).toBe(createHash('sha512').update(installer).digest('base64'))
  })

  test('signs no manifest of another installer than the one beside it', async () => {
    await using folder = await testFolder()
    const [pem, manifest] = [join(folder.path, 'key.pem'), join(folder.path, 'latest.yml')]
    await run(['keys', pem])
    await writeFile(manifest, manifestOf('1.2.4', Buffer.from('an installer')))
    await expect(run([manifest], { UPDATES_SIGNING_KEY: pem })).rejects.toMatchObject({ stderr: expect.stringContaining('旁边没有') })
    await writeFile(join(folder.path, 'qingtu-1.2.4-x64.exe'), 'another installer')
    await expect(run([manifest], { UPDATES_SIGNING_KEY: pem })).rejects.toMatchObject({ stderr: expect.stringContaining('不符') })
  })
})
