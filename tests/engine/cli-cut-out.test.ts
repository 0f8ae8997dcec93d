import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parseRun, UsageError } from '#engine/cli/arguments'
import { initialOfCase } from '#shared/tools/field'
import { cutOut } from '#shared/tools/cut-out'

const program = fileURLToPath(new URL('../../build/qingtu.mjs', import.meta.url))
const qingtu = (...words: string[]): Promise<{ status: number; out: string; err: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [program, ...words], { maxBuffer: 1e8 }, (error, out, err) => {
      resolve({ status: typeof error?.code === 'number' ? error.code : 0, out, err })
    })
  })

const parsed = (page: string, ...words: string[]) => parseRun([page, '--out', 'out', ...words, 'a.jpg'])
const { view } = cutOut.options.background
const cases = view.kind === 'variant' ? view.cases : {}

describe('--background', () => {
  test('takes a colour, a case or a picture in one word', () => {
    expect(parsed('/matting/person', '--background', '#438EDB')).toMatchObject({
      options: { kind: 'person', background: { by: 'colour', colour: '#438edb' } },
      files: ['a.jpg'],
    })
    expect(parsed('/matting/person', '--background', 'transparent').options).toMatchObject({ background: { by: 'transparent' } })
    expect(parsed('/matting/goods', '--background', 'beach/sea.jpg')).toMatchObject({
      options: { background: initialOfCase(cases, 'image') },
      attachment: 'beach/sea.jpg',
      files: ['a.jpg'],
    })
    expect(parsed('/doc', '--background', '#ffffff', '--preset', 'one-inch').options).toMatchObject({
      background: { by: 'colour', colour: '#ffffff' },
    })
  })

  test('goes with the other options of its case', () => {
    expect(parsed('/matting/person', '--background', 'sea.jpg', '--fit', 'contain', '--x', '0').options).toMatchObject({
      background: { by: 'image', fit: 'contain', x: 0, y: 50 },
    })
    expect(parsed('/matting/person', '--background', 'gradient', '--angle', '90').options).toMatchObject({
      background: { by: 'gradient', angle: 90 },
    })
    expect(() => parsed('/matting/person', '--background', '#438edb', '--fit', 'cover')).toThrow(UsageError)
  })

  test('says what is missing where a picture is meant and none is given', () => {
    expect(() => parsed('/matting/person', '--background', 'image')).toThrow('请选择一张背景图片。')
    expect(() => parsed('/doc', '--background', 'sea.jpg')).toThrow('没有这种方式：sea.jpg。可用：keep colour')
  })

  test('a picture that is not there is said once, before any file is worked on', async () => {
    const { status, out, err } = await qingtu('run', '/matting/person', '--background', 'no-such.jpg', '--out', '/tmp/unused', 'a.jpg')
    expect({ status, out }).toEqual({ status: 2, out: '' })
    expect(err).toContain('找不到文件 no-such.jpg')
  })
})

test('--strokes takes JSON', () => {
  const stroke = { mode: 'keep', size: 0.1, hardness: 0.5, points: [0.2, 0.3, 0.4, 0.5] }
  expect(parsed('/transparent/goods', '--strokes', JSON.stringify([stroke])).options).toMatchObject({ strokes: [stroke] })
  expect(() => parsed('/transparent/goods', '--strokes', '[{')).toThrow('选项 --strokes 需要一段 JSON。')
  expect(() => parsed('/transparent/goods', '--strokes', '[{"mode":"draw"}]')).toThrow('“画笔”填写有误')
})

test('qingtu tools tells what may stand for a background, and which file goes with it', async () => {
  const [told, read] = await Promise.all([qingtu('tools', '--json'), qingtu('tools')])
  const page: { options: { option: string; kind: string }[]; attachment: unknown } = told.out
    .split('\n')
    .filter((line) => line.includes('"/matting/person"'))
    .map((line) => JSON.parse(line))[0]
  expect(page.options).toContainEqual(expect.objectContaining({ option: '--background', kind: 'variant', colour: true }))
  expect(page.options).toContainEqual(
    expect.objectContaining({ option: '--strokes', maxStrokes: 500, maxPoints: 2000, maxPointsInAll: 40_000 }),
  )
  expect(page.attachment).toMatchObject({ option: '--background', by: 'image', label: '背景图片' })
  expect(read.out).toMatch(/--background +背景 +transparent \| colour .*\| #rrggbb \| 文件/)
})
