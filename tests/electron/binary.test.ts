import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '#build/setup'
import { hasClient, openClient } from '../fixtures/client.ts'

describe.skipIf(!hasClient)('the Electron that tests run', () => {
  test('opens a window on a screen and in a folder of the test’s own', async () => {
    await using client = await openClient({ program: join(root, 'tests/fixtures/empty-window') })
    await expect.poll(() => client.page.title()).toBe('empty')
    expect(await client.app.evaluate(({ app }) => app.getPath('userData'))).toBe(client.folder)
  })

  test('is gone at once when it is killed', async () => {
    await using client = await openClient({ program: join(root, 'tests/fixtures/empty-window') })
    await client.kill()
    expect(() => process.kill(client.pid, 0)).toThrow('ESRCH')
  })
})
