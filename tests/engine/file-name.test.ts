import { afterAll, describe, expect, test } from 'vitest'
import { runTool, testFolder } from '../fixtures/engine.ts'
import { photo } from '../fixtures/pictures.ts'
import { film, gifOf } from '../fixtures/animations.ts'

const folder = await testFolder()
afterAll(() => folder[Symbol.asyncDispose]())

const jpeg = await photo(160, 120).jpeg({ quality: 95 }).toBuffer()
const named = async (...job: Parameters<typeof runTool>) => (await runTool(...job)).map(({ name }) => name)

describe('a result is called', () => {
  test('as its source where nothing else is said', async () => {
    expect(await named('compress-image', folder.path, jpeg, {}, '合照.jpeg')).toEqual(['合照.jpeg'])
  })

  test('by the rule, with its own sides and its own extension', async () => {
    const options = { fileName: '{name}-{width}x{height}', width: 80 }
    expect(await named('resize-image', folder.path, jpeg, options, '合照.png')).toEqual(['合照-80x60.jpg'])
  })

  test('by the rule also where it is the source untouched', async () => {
    const [result] = await runTool('compress-image', folder.path, jpeg, { fileName: '{name}_轻图' }, '合照.jpg')
    expect(result).toMatchObject({ name: '合照_轻图.jpg', note: { kind: 'unchanged' }, bytes: jpeg.length })
  })

  test('by the rule after what its tool adds', async () => {
    const options = { fileName: '{name}-交', sheet: 'five-inch' }
    expect(await named('id-photo', folder.path, await photo(600, 800).jpeg().toBuffer(), options, '我.jpg')).toEqual(['我-排版-交.jpg'])
  })
})

test('results of one source are files and names of their own, under any rule and however long their name is', async () => {
  const gif = await gifOf(film(40, 30, 3), [40, 50, 60])
  for (const [fileName, end] of [
    ['{name}', /^长+-[123]\.png$/],
    ['图', /^图-[123]\.png$/],
    ['{name}.{n}', /^长/],
  ] as const) {
    const outputs = await runTool('convert-image', folder.path, gif, { format: 'png', fileName }, `${'长'.repeat(64)}.gif`)
    expect(new Set(outputs.map(({ name }) => name)).size).toBe(3)
    expect(new Set(outputs.map(({ path }) => path)).size).toBe(3)
    for (const { name } of outputs) expect(name).toMatch(end)
  }
})
