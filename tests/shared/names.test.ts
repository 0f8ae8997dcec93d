import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { numberedName, pageSuffix, resultName, safeName, safePath, splitName } from '#shared/names'

fc.configureGlobal({ seed: 20_261_121, numRuns: Number(process.env['PROPERTY_RUNS'] ?? 200) })

describe('a safe name', () => {
  test.each([
    ['../../etc/passwd.jpg', 'passwd.jpg'],
    ['..\\..\\x.jpg', 'x.jpg'],
    ['C:\\x.jpg', 'x.jpg'],
    ['/abs.jpg', 'abs.jpg'],
    ['CON.jpg', '_CON.jpg'],
    ['com1', '_com1'],
    ['a.jpg:ads', 'a.jpgads'],
    ['a .', 'a'],
    ['a.', 'a'],
    ['..', '未命名'],
    ['...\u3000', '未命名'],
    ['照片.\u00a0', '照片'],
    [`${'a'.repeat(199)} b`, 'a'.repeat(199)],
    [`a.${'b'.repeat(19)} c`, `a.${'b'.repeat(19)}`],
    ['', '未命名'],
    ['photo\u202Egpj.exe', 'photogpj.exe'],
    ['line\nbreak.jpg', 'linebreak.jpg'],
    ['half \ud83d character.jpg', 'half  character.jpg'],
    ['<img onerror="x">.png', 'img onerror=x.png'],
    ['e\u0301.jpg', '\u00e9.jpg'],
    ['证件照 (1).jpg', '证件照 (1).jpg'],
  ])('of %j is %j', (name, expected) => expect(safeName(name)).toBe(expected))

  test('is at most 200 bytes, cut between characters, with its extension', () => {
    const name = safeName(`${'😀'.repeat(100)}.jpg`)
    expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(200)
    expect(name).toMatch(/^(😀)+\.jpg$/u)
  })

  // Texts of what names are cut at and trimmed of come seldom among all texts.
  const edges = fc.constantFrom('.', ' ', '\u3000', '\u00a0', '\ufeff', '\u202e', 'a', 'con', 'ab '.repeat(50))
  const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ unit: edges, maxLength: 12 }))

  test('holds for any text, and is safe already when made safe', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const name = safeName(text)
        expect(name).not.toMatch(/[/\\<>:"|?*\p{Cc}]|[.\s]$|^$|^\.\.?$/u)
        expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(200)
        expect(safeName(name)).toBe(name)
      }),
    )
  })
})

test('a folder leads down only, however its dots are hidden', () => {
  expect(safePath('...\u3000/旅行/..\u00a0/.\ufeff./第一天')).toBe('旅行/第一天')
})

test('a result has its source name and its own extension', () => {
  expect(resultName('扫描.PNG', 'webp')).toBe('扫描.webp')
  expect(resultName('noext', 'jpg')).toBe('noext.jpg')
  expect(resultName('合照.heic', 'jpg', '-排版')).toBe('合照-排版.jpg')
})

test('results of a source with a long name stay apart, below 200 bytes', () => {
  const names = [1, 2, 10].map((page) => resultName(`${'扫'.repeat(80)}.tif`, 'jpg', pageSuffix(page, 10)))
  expect(names.map((name) => name.replace(/^扫+/, ''))).toEqual(['-01.jpg', '-02.jpg', '-10.jpg'])
  for (const name of names) expect(new TextEncoder().encode(name).length).toBeLessThanOrEqual(200)
})

test('a taken name gets a number before its extension', () => {
  expect([0, 1, 2].map((attempt) => numberedName('a.tar.gz', attempt))).toEqual(['a.tar.gz', 'a.tar (1).gz', 'a.tar (2).gz'])
  expect(numberedName('noext', 3)).toBe('noext (3)')
})

test('a leading dot starts no extension', () => expect(splitName('.env')).toEqual({ stem: '.env', extension: '' }))
