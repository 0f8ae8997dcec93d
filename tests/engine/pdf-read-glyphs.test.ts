import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { codedPdf, namedPdf, type CodedLine, type Coding, type Told } from '../fixtures/coded-pdfs.ts'
import { runTool, testFolder } from '../fixtures/engine.ts'
import { namedCharacters } from '#engine/pdf/glyph-names'

/** What a page says in an embedded font of which little is said. */
async function textOf(face: 'latin' | 'chinese', lines: readonly CodedLine[], coding: Coding = {}): Promise<string> {
  await using folder = await testFolder()
  const [output] = await runTool('pdf-to-text', folder.path, await codedPdf(face, lines, coding), { breaks: 'line' }, 'a.pdf')
  return (await readFile(output.path, 'utf8')).replaceAll(/\uFEFF|\r/g, '').trim()
}

const placed = (texts: readonly string[]): readonly CodedLine[] => texts.map((text, at) => ({ text, x: 60, y: 760 - at * 30, size: 14 }))

const english = [
  'Quite a few experts just analysed the size of the market.',
  'In 2013 the office sold 4,685 copies for 97.20 each,',
  'which is more than in any of the years before it.',
]
const chinese = [
  '关于印发办公用品采购管理办法的通知',
  '本标准规定了电子印章的数据结构和密码处理流程，',
  '适用于电子印章系统的开发和使用，共有20651个用户。',
]

test('text whose font does not say what it stands for is read from how it looks', async () => {
  expect(await textOf('latin', placed(english))).toBe(english.join('\n'))
  expect(await textOf('chinese', placed(chinese))).toBe(chinese.join('\n'))
})

test('what a font’s own file says of its glyphs needs no reading', async () => {
  const rare = ['髙辻涌井 0O1lI| ⅷ', 'vwVWxXzZcC']
  expect(await textOf('chinese', placed(rare), { hasOwnMap: true })).toBe(rare.join('\n'))
})

test('figures that alone say nothing stand in the text that is known', async () => {
  const told: Told = (character) => (/\d/.test(character) ? undefined : character)
  expect(await textOf('chinese', placed(chinese), { told })).toBe(chinese.join('\n'))
})

test('a font that says something else than it shows is found out and read', async () => {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz'
  const shifted: Told = (character) => {
    const at = alphabet.indexOf(character)
    return at < 0 ? character : (alphabet[(at + 7) % 26] ?? character)
  }
  expect(await textOf('latin', placed([...english, ...english]), { told: shifted })).toBe([...english, ...english].join('\n'))
})

test('text that is unlikely and yet what it shows stays as it is', async () => {
  const codes = ['qwzxv bkjg yfpq zvxk', 'wxyz qqvk zzjx bgfp', 'kjqx vwzb ypgf xqzv', 'pzvq xkwj gbyf qxzw']
  expect(await textOf('latin', placed(codes), { told: (character) => character })).toBe(codes.join('\n'))
})

test('the names of glyphs tell what they stand for, in both kinds of fonts', async () => {
  const rare = ['vwVWXxZz 0O1lI| cC', 'Αλέγα Юникод Åse - – “fi”']
  expect(await textOf('latin', placed(rare), { hasNames: true })).toBe(rare.join('\n'))
  // The glyphs of pdf.js's own serif font, in its order: a few letters that look alike, and signs.
  const program = readFileSync(
    join(dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')), 'standard_fonts', 'FoxitSerif.pfb'),
  )
  const numbers = new Map([...namedCharacters(program)].map(([glyph, character]) => [character, glyph]))
  const line = 'l1I|O0 Šárka €5'
  const glyphs = [...line].map((character) => numbers.get(character) ?? 0)
  await using folder = await testFolder()
  const pdf = await namedPdf([{ text: line, glyphs, x: 60, y: 760 }])
  const [output] = await runTool('pdf-to-text', folder.path, pdf, { breaks: 'line' }, 'a.pdf')
  expect((await readFile(output.path, 'utf8')).replaceAll(/\uFEFF|\s/g, '')).toBe(line.replaceAll(' ', ''))
})

test('names by rule say what they say, and names of single fonts nothing', () => {
  // A post table with these names, as the only one of a font file.
  const names = ['g12', 'uni4E2D6587', 'u1F600', 'f_i', 'alpha.alt', 'afii10017', 'a.notdef']
  const body = names.flatMap((name) => [name.length, ...Buffer.from(name, 'latin1')])
  const post = Buffer.alloc(34 + 2 * (names.length + 1))
  post.writeUInt32BE(0x20000, 0)
  post.writeUInt16BE(names.length + 1, 32)
  for (const at of names.keys()) post.writeUInt16BE(258 + at, 36 + 2 * at)
  const head = Buffer.alloc(28)
  head.writeUInt32BE(0x10000, 0)
  head.writeUInt16BE(1, 4)
  head.write('post', 12, 'latin1')
  head.writeUInt32BE(28, 20)
  head.writeUInt32BE(post.length + body.length, 24)
  const characters = namedCharacters(Buffer.concat([head, post, Buffer.from(body)]))
  expect([...characters.values()]).toEqual(['中文', '😀', 'fi', 'α', 'А', 'a'])
})
