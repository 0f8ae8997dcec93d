import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { kill, ownFolder, said } from '../server/database/support.ts'
import { root } from '#build/setup'
import { quotaState } from '#electron/quota/state'

const source = fileURLToPath(new URL('quota-writer.mjs', import.meta.url))
const outDir = join(root, 'dist/tests/quota-writer')
const script = join(outDir, 'quota-writer.js')

/** The client is bundled and not compiled file by file: so is what a process of its own runs of it here. */
beforeAll(async () => {
  const conditions = ['own-source', 'node', 'import', 'default']
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    publicDir: false,
    resolve: { conditions },
    ssr: { noExternal: true, resolve: { conditions } },
    build: { ssr: source, outDir, minify: false, rolldownOptions: { output: { entryFileNames: 'quota-writer.js' } } },
  })
})

it('what was noted outlives a client that is killed at any moment, whole', async () => {
  const folder = await ownFolder()
  let last = -1
  for (let round = 0; round < 5; round++) {
    const child = fork(script, [folder, String(last + 1)], { execArgv: [] })
    onTestFinished(() => void child.kill('SIGKILL'))
    const first = await said(child)
    expect(first).toBe(last + 3)
    last = Number(first)
    child.on('message', (message) => (last = Number(message)))
    for (let more = 0; more < 3 + 7 * round; more++) await once(child, 'message')
    await kill(child)
    const text = Buffer.from(await readFile(join(folder, 'quota'), 'utf8'), 'base64').toString()
    const { settlements } = quotaState.parse(JSON.parse(text))
    expect(settlements.slice(0, last + 1)).toEqual(
      Array.from({ length: last + 1 }, (_, n) => ({ id: `job-${n}`, settlement: n % 2 ? 'released' : 'committed' })),
    )
    // What was written, but not said before it was killed, is no harm.
    expect(settlements.length).toBeLessThanOrEqual(last + 1 + 3)
  }
})
