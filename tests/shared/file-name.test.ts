import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { messageOf } from '#shared/errors/app-error'
import { freeName, resultName, safeName } from '#shared/names'
import { ruledName, type NamedResult } from '#shared/ruled-name'
import { isFileNameRule } from '#shared/tools/file-name'
import { fieldsOf, parseOptions, tools, toolOf } from '#shared/tools/index'

fc.configureGlobal({ seed: 20_261_121, numRuns: Number(process.env['PROPERTY_RUNS'] ?? 200) })

// Half past four in the afternoon of the 21st in London is the 22nd in Shanghai.
const photo: NamedResult = { name: '合照.jpg', place: 7, width: 800, height: 600, madeAt: new Date('2026-11-21T16:30:00Z') }

describe('a file name rule', () => {
  test.each([
    ['{name}', '合照.jpg'],
    ['', '合照.jpg'],
    ['{name}_轻图', '合照_轻图.jpg'],
    ['小-{name}', '小-合照.jpg'],
    ['{n}', '7.jpg'],
    ['{nnn}', '007.jpg'],
    ['活动 {date} {nn}', '活动 20261122 07.jpg'],
    ['{name}-{width}x{height}', '合照-800x600.jpg'],
    ['con', '_con.jpg'],
    ['.', '合照.jpg'],
    ['报告.', '报告..jpg'],
  ])('%j calls 合照.jpg %j', (rule, expected) => {
    expect(isFileNameRule(rule)).toBe(true)
    expect(ruledName(rule, photo)).toBe(expected)
  })

  test.each([
    '{nam}',
    '{NAME}',
    '{name',
    'a}',
    '{}',
    '{{name}}',
    '{nnnnn}',
    'a/b',
    'a\\b',
    '..\\a',
    'a:b',
    'a*',
    'a\u0000',
    'a\u202eb',
    'a\ud83d',
  ])('%j is refused, with words that say what may be written', (rule) => {
    expect(() => parseOptions('compress-image', { fileName: rule })).toThrow('options.file-name')
  })

  test('is refused above 60 characters, and where it is no text', () => {
    for (const fileName of ['字'.repeat(61), 5, null]) {
      expect(() => parseOptions('set-dpi', { fileName })).toThrow('options.file-name')
    }
    expect(parseOptions('set-dpi', { fileName: ' {n} ' })).toMatchObject({ fileName: '{n}' })
  })

  test('is an option of every tool that gives each file a result, and of no other', () => {
    const having = tools.map(({ id }) => toolOf(id)).filter((tool) => 'fileName' in fieldsOf(tool))
    expect(having.map(({ id }) => id)).toEqual(tools.filter(({ takes }) => takes === 'each').map(({ id }) => id))
    expect(() => parseOptions('pack-zip', { fileName: '{n}' })).toThrow('options.invalid')
  })

  test('says nothing of sides a result does not have', () => {
    const { width: _width, height: _height, ...zip } = { ...photo, name: '合照.pdf' }
    expect(ruledName('{name}-{width}', zip)).toBe('合照-.pdf')
    expect(ruledName('{width}', zip)).toBe('合照.pdf')
  })

  test('numbers the pages of one source where nothing else tells them apart', () => {
    const names = (rule: string) =>
      [1, 12].map((page) => ruledName(rule, { ...photo, name: resultName('扫描.tif', 'jpg', `-${page}`), page: [page, 12] }))
    expect(names('{n}')).toEqual(['7-01.jpg', '7-12.jpg'])
    expect(names('{name}_轻图')).toEqual(['扫描-1_轻图.jpg', '扫描-12_轻图.jpg'])
  })

  test('reads no placeholders in the name of a file', () => {
    expect(ruledName('{name}-{n}', { ...photo, name: '{n}{date}$&.jpg' })).toBe('{n}{date}$&-7.jpg')
  })

  test('keeps a suffix where the name is so long that something has to give way', () => {
    const name = ruledName('{name}_轻图', { ...photo, name: `${'长'.repeat(65)}.jpg` })
    expect(name).toMatch(/^长+_轻图\.jpg$/)
    expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(200)
  })
})

describe('any rule that is accepted', () => {
  const piece = fc.oneof(
    fc.constantFrom('{name}', '{n}', '{nnnn}', '{width}', '{height}', '{date}', '.', ' ', '_轻图', 'con', '😀'),
    fc.string({ unit: 'binary', maxLength: 6 }),
  )
  const rules = fc
    .array(piece, { maxLength: 8 })
    .map((pieces) => pieces.join('').trim())
    .filter(isFileNameRule)
  const sources = fc.string({ unit: 'binary', maxLength: 120 })
  const sides = fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined })

  test('makes a name that is safe everywhere, keeps its extension and is at most 200 bytes', () => {
    fc.assert(
      fc.property(rules, sources, fc.integer({ min: 1, max: 1_000_000 }), sides, sides, (rule, source, place, width, height) => {
        const name = ruledName(rule, { name: resultName(source, 'jpg'), place, width, height, madeAt: photo.madeAt })
        expect(safeName(name)).toBe(name)
        expect(name).toMatch(/[^. ].*\.jpg$/u)
        expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(200)
      }),
    )
  })

  test('leaves a name as it is where it says so', () => {
    fc.assert(
      fc.property(sources, (source) => {
        const name = resultName(source, 'jpg')
        expect(ruledName('{name}', { ...photo, name })).toBe(name)
      }),
    )
  })

  test('gives the pages of a source names of their own', () => {
    fc.assert(
      fc.property(rules, sources, fc.integer({ min: 2, max: 30 }), (rule, source, count) => {
        const taken = new Set<string>()
        const names = Array.from({ length: count }, (_, at) =>
          freeName(taken, '', ruledName(rule, { ...photo, name: resultName(source, 'jpg', `-${at + 1}`), page: [at + 1, count] })),
        )
        expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(count)
      }),
    )
  })
})

test('the words for a refused rule name every placeholder', () => {
  const words = messageOf({ code: 'options.file-name', data: {} })
  for (const key of ['name', 'n', 'width', 'height', 'date']) expect(words).toContain(key)
})
