import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { PDFDocument, PDFName, PDFString } from '@cantoo/pdf-lib'
import { texts } from '../ocr-pages.mjs'
import { shippedFolder } from '#engine/ai/installed'
import { subsetOf } from '#engine/ofd/font-subset'
import { programOf } from '#engine/pdf/font-program'

const latinFile = join(
  dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json')),
  'standard_fonts/LiberationSans-Regular.ttf',
)
const [MARGIN, SIZE, PITCH, LINE] = [72, 10.5, 18, 42]
const COLUMNS = [72, 162, 222, 302, 392, 523]
const HEAD = ['项目', '数量', '单价（元）', '金额（元）', '备注']
const ITEMS = ['激光打印机', '办公椅', '会议平板', '复印纸', '移动硬盘', '文件柜', '投影仪', '交换机']

const isLatin = (/** @type {string} */ character) => character < '\u0100'
const hex = (/** @type {number} */ value) => value.toString(16).padStart(4, '0')

/** A TrueType file as a font of a PDF that holds the glyphs of some text only, as office programs write it. */
function embedded(
  /** @type {PDFDocument} */ { context },
  /** @type {string} */ file,
  /** @type {string} */ name,
  /** @type {string} */ text,
) {
  const program = programOf({ data: new Uint8Array(readFileSync(file)) })
  if (!program) throw new Error(`${file} is no font`)
  const characters = [...new Set(text)]
  const codeOf = (/** @type {string} */ character) => program.glyphs.get(character.codePointAt(0) ?? 0) ?? 0
  const bytes = subsetOf(program, new Set(characters.map(codeOf)))
  const FontFile2 = context.register(context.flateStream(bytes))
  const metrics = { FontBBox: [0, -200, 1000, 900], ItalicAngle: 0, Ascent: 880, Descent: -120, CapHeight: 700, StemV: 80 }
  const descendant = {
    Type: 'Font',
    Subtype: 'CIDFontType2',
    BaseFont: name,
    CIDToGIDMap: 'Identity',
    // Close enough for what is timed: digits are 0.556 em wide.
    DW: isLatin(characters[0] ?? '') ? 556 : 1000,
    FontDescriptor: context.register(context.obj({ Type: 'FontDescriptor', FontName: name, Flags: 4, FontFile2, ...metrics })),
    CIDSystemInfo: { Registry: PDFString.of('Adobe'), Ordering: PDFString.of('Identity'), Supplement: 0 },
  }
  const entries = characters.map((one) => `<${hex(codeOf(one))}> <${Buffer.from(one, 'utf16le').swap16().toString('hex')}>`)
  const map = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /A def /CMapType 2 def 1 begincodespacerange <0000> <ffff> endcodespacerange ${entries.length} beginbfchar\n${entries.join('\n')}\nendbfchar endcmap end end`
  const font = context.obj({
    Type: 'Font',
    Subtype: 'Type0',
    BaseFont: name,
    Encoding: 'Identity-H',
    DescendantFonts: [context.register(context.obj(descendant))],
    ToUnicode: context.register(context.flateStream(map)),
  })
  return { font: context.register(font), codeOf }
}

/** @typedef {{ text: string, x: number, y: number, size?: number }} Placed */

/** What a page says: a head, running text that no two pages share, a table, and its number. @returns {Placed[]} */
function textsOf(/** @type {number} */ number) {
  const long = [1, 4, 7].map((step) => texts[(number * step) % texts.length] ?? '').join('')
  const from = number % 60
  const words = long.slice(from) + long.slice(0, from) + long.slice(20, 300)
  const lines = Array.from({ length: Math.ceil(words.length / LINE) }, (_, at) => words.slice(at * LINE, (at + 1) * LINE)).slice(0, 18)
  const rows = [HEAD, ...ITEMS.map((item, at) => [item, `${number + at}`, `${at}.${number % 90}`, `${number * at}.00`, '含税'])]
  return [
    { text: '办公用品采购年度报告', x: 240, y: 795, size: 9 },
    { text: `第${number}节　采购情况说明`, x: MARGIN, y: 752, size: 15 },
    ...lines.map((text, at) => ({ text, x: MARGIN, y: 720 - at * PITCH })),
    ...rows.flatMap((cells, row) => cells.map((text, column) => ({ text, x: (COLUMNS[column] ?? 0) + 5, y: 340 - row * 22 }))),
    { text: `${number}`, x: 292, y: 45, size: 9 },
  ]
}

const rules = [
  '0.5 w',
  ...Array.from({ length: 10 }, (_, row) => `${COLUMNS[0]} ${356 - row * 22} m ${COLUMNS.at(-1)} ${356 - row * 22} l S`),
  ...COLUMNS.map((x) => `${x} 356 m ${x} 158 l S`),
].join('\n')

/** A PDF of so many pages of Chinese text and tables, in fonts of its own. */
export async function longDocument(/** @type {number} */ pages) {
  const document = await PDFDocument.create()
  const { context } = document
  const placed = Array.from({ length: pages }, (_, at) => textsOf(at + 1))
  const all = [...new Set(placed.flatMap((page) => page.flatMap(({ text }) => [...text])))]
  const chinese = embedded(document, join(shippedFolder, 'document-font.ttf'), 'ABCDEF+SimSun', all.filter((one) => !isLatin(one)).join(''))
  const latin = embedded(document, latinFile, 'ABCDEF+Arial', all.filter(isLatin).join(''))
  for (const page of placed) {
    const words = page.map(({ text, x, y, size = SIZE }) => {
      const parts = (text.match(/[ -\u00ff]+|[^ -\u00ff]+/g) ?? []).map((part) => {
        const [name, { codeOf }] = isLatin(part) ? ['F2', latin] : ['F1', chinese]
        return `/${name} ${size} Tf <${[...part].map((one) => hex(codeOf(one))).join('')}> Tj`
      })
      return `BT ${x} ${y} Td ${parts.join(' ')} ET`
    })
    const { node } = document.addPage([595, 842])
    node.set(PDFName.of('Resources'), context.obj({ Font: { F1: chinese.font, F2: latin.font } }))
    node.set(PDFName.of('Contents'), context.register(context.flateStream(`${rules}\n${words.join('\n')}`)))
  }
  return document.save()
}
