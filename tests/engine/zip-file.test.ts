import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../fixtures/engine.ts'
import { unzip } from '../fixtures/unzip.ts'
import { createZip } from '#engine/zip-file'

test('text that comes in many pieces is whole, zeros and all, and compressed across them', async () => {
  await using folder = await testFolder()
  const path = join(folder.path, 'a.zip')
  const zip = createZip(path)
  const [first, second] = [zip.text('一.xml'), zip.text('空.xml')]
  const pieces = Array.from({ length: 40 }, (_, at) => `<p n="${at}">${'轻图\0'.repeat(9000)}</p>`)
  for (const piece of pieces) first.write(piece)
  second.end()
  first.end()
  expect(zip.close()).toBeLessThan(20_000)
  const files = await unzip(await readFile(path))
  expect(files.get('一.xml')?.toString('utf8') === pieces.join('')).toBe(true)
  expect(files.get('空.xml')).toHaveLength(0)
  // Another reader checks sizes and sums.
  expect(execFileSync('7zz', ['t', path], { encoding: 'utf8' })).toContain('Everything is Ok')
})
