import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { testFolder } from '../fixtures/engine.ts'

test('building the client’s scripts leaves the environment as it was: what starts next in the same process is not in production', async () => {
  await using folder = await testFolder()
  const script = pathToFileURL(join(import.meta.dirname, '../../build/shell.mjs')).href
  const program = `import { buildShell } from ${JSON.stringify(script)}
    buildShell(${JSON.stringify(folder.path)})
    console.log(JSON.stringify(process.env.NODE_ENV ?? 'unset'))`
  const { NODE_ENV: _, ...env } = process.env
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', program], { env, encoding: 'utf8' })
  expect(said.trim().split('\n').at(-1)).toBe('"unset"')
  expect(existsSync(join(folder.path, 'preload.cjs'))).toBe(true)
})
