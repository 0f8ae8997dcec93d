import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { kill, ownFolder, said } from '../server/database/support.ts'
import { quotaState } from '#electron/quota/state'

const script = fileURLToPath(new URL('quota-writer.mjs', import.meta.url))

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
    const text = (await readFile(join(folder, 'quota'))).reverse().toString()
    const { settlements } = quotaState.parse(JSON.parse(text))
    expect(settlements.slice(0, last + 1)).toEqual(
      Array.from({ length: last + 1 }, (_, n) => ({ id: `job-${n}`, settlement: n % 2 ? 'released' : 'committed' })),
    )
    // What was written, but not said before it was killed, is no harm.
    expect(settlements.length).toBeLessThanOrEqual(last + 1 + 3)
  }
})
