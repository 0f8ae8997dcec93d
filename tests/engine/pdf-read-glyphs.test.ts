import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { codedPdf, type CodedLine, type Coding, type Told } from '../fixtures/coded-pdfs.ts'
import { runTool, testFolder } from '../fixtures/engine.ts'

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
