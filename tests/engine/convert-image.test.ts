import { expect, test } from 'vitest'
import { photo } from '../fixtures/pictures.ts'
import { runTool, testFolder } from '../fixtures/engine.ts'
import { readPicture } from '../fixtures/oracle.ts'

test('turns a PNG with transparency into a JPG on the chosen colour', async () => {
  await using folder = await testFolder()
  const png = await photo(120, 90, 4).png().toBuffer()
  const [output] = await runTool('convert-image', folder.path, png, { background: '#ff0000' }, 'a.png')
  expect(output).toMatchObject({ name: 'a.jpg', format: 'jpeg', width: 120, height: 90 })
  const { readFile } = await import('node:fs/promises')
  const seen = readPicture(await readFile(output.path))
  expect([...seen.data.subarray(0, 3)]).toEqual([254, 0, 0])
})
