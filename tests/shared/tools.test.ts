import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { isToolId, keepOneWay, pages, parseOptions, startOptions, toolOf, tools } from '#shared/tools/index'
import { choice, flag, number, optionalNumber, variant, type Field } from '#shared/tools/field'
import { naming } from '#shared/tools/file-name'
import { errorTexts } from '#shared/errors/codes'
import { formatBytes, waitText } from '#shared/units'

const code = (run: () => unknown): unknown => {
  try {
    run()
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
  return 'accepted'
}
const parse = (options: unknown): unknown => parseOptions('compress-image', options)

describe('options from outside', () => {
  test('get their initial values where they are left out', () => {
    expect(parse({})).toEqual({ goal: { by: 'size', targetKb: 200, keepPixels: false }, keepMetadata: false, fileName: '{name}' })
    expect(parse({ goal: { by: 'size', targetKb: 30 } })).toMatchObject({ goal: { targetKb: 30, keepPixels: false } })
  })

  test.each<[string, unknown, string]>([
    ['NaN', { goal: { by: 'quality', quality: NaN } }, 'options.out-of-range'],
    ['infinity', { goal: { by: 'size', targetKb: Infinity } }, 'options.out-of-range'],
    ['text for a number', { goal: { by: 'size', targetKb: '200' } }, 'options.out-of-range'],
    ['a fraction of a percent', { goal: { by: 'percent', percent: 1.5 } }, 'options.out-of-range'],
    ['below the range', { goal: { by: 'quality', quality: 0 } }, 'options.out-of-range'],
    ['above the range', { goal: { by: 'quality', quality: 101 } }, 'options.out-of-range'],
    ['a size of nothing', { goal: { by: 'size', targetKb: 0 } }, 'options.target-not-positive'],
    ['a negative size', { goal: { by: 'megabytes', targetMb: -1 } }, 'options.target-not-positive'],
    ['a minimum above the target', { goal: { by: 'size', targetKb: 20, minKb: 21 } }, 'options.range-reversed'],
    ['a case that is not there', { goal: { by: 'magic' } }, 'options.invalid'],
    ['a key of another case', { goal: { by: 'quality', quality: 5, targetKb: 5 } }, 'options.invalid'],
    ['a key that is not there', { goal: { by: 'quality', quality: 5 }, admin: true }, 'options.invalid'],
    ['a prototype', JSON.parse('{"__proto__": {"goal": 1}}'), 'options.invalid'],
    ['nothing', null, 'options.invalid'],
    ['a list', [], 'options.invalid'],
  ])('are refused: %s', (_title, options, expected) => expect(code(() => parse(options))).toBe(expected))

  test.each<[object, string]>([
    [{}, 'options.size-missing'],
    [{ targetKb: 50 }, 'options.size-missing'],
    [{ width: 800, percent: 50 }, 'options.size-twice'],
    [{ longEdge: 800, percent: 50 }, 'options.size-twice'],
    [{ width: 800, height: 600 }, 'accepted'],
    [{ height: 600 }, 'accepted'],
    [{ percent: 50 }, 'accepted'],
    [{ width: 0 }, 'options.out-of-range'],
    [{ height: 30_001 }, 'options.out-of-range'],
    [{ percent: 1001 }, 'options.out-of-range'],
    [{ width: 800, background: 'red' }, 'options.invalid'],
  ])('say a size in one way: %j', (options, expected) => expect(code(() => parseOptions('resize-image', options))).toBe(expected))

  test('one way of saying a size takes the place of another, both at once are left to be refused', () => {
    const { ways } = toolOf('resize-image')
    const start = { percent: 50, keepRatio: true }
    expect(keepOneWay(ways, { ...start, width: 800 }, ['width'])).toEqual({ width: 800, keepRatio: true })
    expect(keepOneWay(ways, { ...start, keepRatio: false }, ['keepRatio'])).toEqual({ percent: 50, keepRatio: false })
    expect(keepOneWay(ways, { ...start, width: 8, longEdge: 9 }, ['width', 'longEdge'])).toEqual({ ...start, width: 8, longEdge: 9 })
    expect(keepOneWay(ways, { percent: 50, width: undefined }, ['width'])).toEqual({ percent: 50 })
    expect(keepOneWay(undefined, { quality: 5 }, ['quality'])).toEqual({ quality: 5 })
  })

  test('take the ends of every range', () => {
    for (const goal of [
      { by: 'size', targetKb: 1 },
      { by: 'size', targetKb: 204_800 },
      { by: 'quality', quality: 1 },
      { by: 'percent', percent: 100 },
    ]) {
      expect(code(() => parse({ goal }))).toBe('accepted')
    }
  })
})

describe('a field', () => {
  const range = { min: 1, max: 9 }
  test.each([
    ['number', (words: { label: string; hint?: string }) => number({ ...words, ...range, initial: 2 })],
    ['optional number', (words: { label: string; hint?: string }) => optionalNumber({ ...words, ...range })],
    ['flag', (words: { label: string; hint?: string }) => flag({ ...words, initial: false })],
    ['choice', (words: { label: string; hint?: string }) => choice({ ...words, choices: { a: '甲' }, initial: 'a' })],
    [
      'variant',
      (words: { label: string; hint?: string }) => variant({ ...words, cases: { a: { label: '甲', fields: {} } }, initial: 'a' }),
    ],
  ])('of each kind carries the hint it is given, and no empty one: %s', (_kind, make) => {
    expect(make({ label: '名称', hint: '说明' })).toMatchObject({ label: '名称', hint: '说明' })
    expect(Object.keys(make({ label: '名称' }))).not.toContain('hint')
  })
})

describe('the registry', () => {
  test('knows its tools by own names only', () => {
    expect(isToolId('compress-image')).toBe(true)
    for (const name of ['constructor', '__proto__', 'toString', '']) expect(isToolId(name)).toBe(false)
  })

  test('starts every page with options its own tool accepts', () => {
    for (const found of pages) expect(code(() => parseOptions(found.tool.id, startOptions(found)))).toBe('accepted')
  })

  test('has one page an address', () => {
    const paths = tools.flatMap((tool) => tool.pages.map(({ path }) => path))
    expect(new Set(paths).size).toBe(paths.length)
  })

  test('has for every tool a definition, a processor and a test of that name', () => {
    const files = (folder: string): string[] => readdirSync(fileURLToPath(new URL(`../../${folder}`, import.meta.url)))
    for (const { id } of tools) {
      expect(files('shared/tools')).toContain(`${id}.ts`)
      expect(files('engine/processors')).toContain(`${id}.ts`)
      expect(files('tests/engine')).toContain(`${id}.test.ts`)
    }
  })

  test('never loses an address, a tool or an option: old clients and scripts hold them', () => {
    // Lines are added here, never removed.
    const promised = {
      pages: [
        '/',
        '/sizemb',
        '/all',
        '/png',
        '/jpg',
        '/jpeg',
        '/webp',
        '/gif',
        '/zip',
        '/dpi',
        '/doc',
        '/docsize',
        '/convert/all',
        '/convert/avif',
        '/convert/heic',
        '/convert/heictojpg',
        '/convert/imgtoico',
        '/convert/tifftojpg',
        '/convert/pngtojpg',
        '/convert/webptojpg',
        '/convert/bmptojpg',
        '/convert/imgtopng',
        '/convert/imgtojpg',
        '/convert/imgtobmp',
        '/convert/imgtowebp',
        '/convert/hundred',
        '/px',
        '/wiheight',
        '/edit/size',
        '/edit/px',
        '/edit/crop',
      ],
      tools: ['compress-image', 'convert-image', 'pack-zip', 'resize-image', 'set-dpi', 'crop-image', 'id-photo'],
      sharedOptions: ['fileName'],
      codes: [
        'options.invalid',
        'options.out-of-range',
        'file.unsupported',
        'file.unreadable',
        'image.too-many-pixels',
        'job.timed-out',
        'target.missed',
        'format.no-density',
      ],
    }
    expect(Object.keys(naming)).toEqual(expect.arrayContaining(promised.sharedOptions))
    expect(pages.map(({ page }) => page.path)).toEqual(expect.arrayContaining(promised.pages))
    expect(tools.map(({ id }) => id)).toEqual(expect.arrayContaining(promised.tools))
    expect(Object.keys(errorTexts)).toEqual(expect.arrayContaining(promised.codes))
  })

  test('calls every secret a password: under that name it is forgotten when its job has ended', () => {
    const secrets = tools.flatMap(({ options }) =>
      Object.entries<Field<unknown>>(options).flatMap(([key, { view }]) => (view.kind === 'text' && view.isSecret ? [key] : [])),
    )
    expect(new Set(secrets)).toEqual(new Set(['password']))
  })

  test('gives every failure a label of its own and a 4xx or 5xx status', () => {
    const all = Object.values(errorTexts)
    expect(new Set(all.map(({ label }) => label)).size).toBe(all.length)
    for (const { status } of all) expect(status).toBeGreaterThanOrEqual(400)
  })

  test('calls the switch that makes a missed target reachable as the form does', () => {
    const view = toolOf('compress-image').options['goal']?.view
    const cases = view?.kind === 'variant' ? Object.values(view.cases) : []
    const labels = cases.flatMap(({ fields }) => fields['keepPixels']?.label ?? [])
    expect(labels).toHaveLength(2)
    const text = errorTexts['target.missed'].text({ targetBytes: 20 * 1024, bestBytes: 30 * 1024 })
    for (const label of labels) expect(text).toContain(`可关闭“${label}”后重试`)
  })
})

test.each([
  [640, '640 B'],
  [86 * 1024, '86 KB'],
  [1536, '1.5 KB'],
  [1.5 * 1024 ** 2, '1.5 MB'],
  [200 * 1024 ** 2, '200 MB'],
])('%i bytes read %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text))

test.each([
  [1, '1 秒'],
  [119.2, '120 秒'],
  [120, '2 分钟'],
  [3541, '60 分钟'],
  [7200, '2 小时'],
  [86_000, '24 小时'],
])('%d seconds are waited %s', (seconds, text) => expect(waitText(seconds)).toBe(text))
