import { readFile } from 'node:fs/promises'
import mammoth from 'mammoth'
import { expect, test } from 'vitest'
import { runTool, testFolder } from '../fixtures/engine.ts'
import { scannedPage, scannedPdf, type TypedLine } from '../fixtures/scans.ts'
import { checkWord } from '../fixtures/word.ts'

/** Letters one under the other. */
const column = (text: string, x: number, y: number, px = 34): readonly TypedLine[] =>
  [...text].map((letter, at) => ({
    text: letter,
    x: x + (letter === '一' ? 2 : 0),
    y: y + Math.round(at * px * 1.25) + (letter === '一' ? 12 : 0),
    px,
  }))

const columns = ['轻图能够把扫描件转成文字', '竖排的书籍从右往左阅读', '每列由上往下依次排列好', '最后才是左边的这些文字']

test('a scan whose lines run downwards is read from the right, and stays so in Word', async () => {
  await using folder = await testFolder()
  const typed = columns.flatMap((text, at) => column(text, 700 - at * 80, 90))
  const page = await scannedPage(typed, { width: 860, height: 700 })
  const [output] = await runTool('pdf-ocr', folder.path, await scannedPdf([page]), {}, '竖排.pdf')
  const file = await readFile(output.path)
  const { value } = await mammoth.extractRawText({ buffer: file })
  expect(value.replaceAll(/\s/g, '')).toBe(columns.join(''))
  expect(checkWord(file).get('word/document.xml')).toContain('<w:textDirection w:val="tbRl"/>')
})
