import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './setup.mjs'

/*
 * Writes engine/office/font-widths.ts: how wide the letters of Office's fonts are, from free fonts made to the same widths (Liberation, Carlito and
 * Caladea, all under the SIL Open Font License or Apache-2.0; only their numbers are taken). Run by hand when a family is added: node build/font-widths.mjs
 */

/** Office's fonts and who stands in for them. */
const FAMILIES = {
  'Times New Roman': 'Liberation Serif',
  Arial: 'Liberation Sans',
  'Arial Narrow': 'Liberation Sans Narrow',
  Calibri: 'Carlito',
  Cambria: 'Caladea',
}
const STYLES = ['Regular', 'Bold', 'Italic', 'Bold Italic']

/** First and last characters of what is kept: Latin, Greek, Cyrillic, punctuation, signs. */
const RANGES = [
  [0x20, 0x17f],
  [0x370, 0x3ff],
  [0x400, 0x45f],
  [0x2010, 0x203a],
  [0x20ac, 0x20ac],
  [0x2116, 0x2122],
  [0x2190, 0x2195],
  [0x2200, 0x2265],
]

/** Where a TrueType font's tables begin. */
function tablesOf(/** @type {Buffer} */ font) {
  return new Map(
    Array.from({ length: font.readUInt16BE(4) }, (_, at) => [
      font.toString('latin1', 12 + at * 16, 16 + at * 16),
      font.readUInt32BE(20 + at * 16),
    ]),
  )
}

/** From characters to glyphs, by the font's table in format 4 (OpenType, cmap). */
function glyphsOf(/** @type {Buffer} */ font, /** @type {number} */ cmap) {
  const records = Array.from({ length: font.readUInt16BE(cmap + 2) }, (_, at) => cmap + 4 + at * 8)
  const windows = records.find((at) => font.readUInt16BE(at) === 3 && font.readUInt16BE(at + 2) === 1)
  if (windows === undefined) throw new Error('no Unicode table')
  const table = cmap + font.readUInt32BE(windows + 4)
  const count = font.readUInt16BE(table + 6) / 2
  const field = (/** @type {number} */ which, /** @type {number} */ at) => table + 14 + which * count * 2 + (which > 0 ? 2 : 0) + at * 2
  return (/** @type {number} */ code) => {
    for (let at = 0; at < count; at++) {
      if (font.readUInt16BE(field(0, at)) < code) continue
      const start = font.readUInt16BE(field(1, at))
      if (start > code) return 0
      const offset = font.readUInt16BE(field(3, at))
      const delta = font.readUInt16BE(field(2, at))
      if (offset === 0) return (code + delta) & 0xffff
      const glyph = font.readUInt16BE(field(3, at) + offset + (code - start) * 2)
      return glyph === 0 ? 0 : (glyph + delta) & 0xffff
    }
    return 0
  }
}

/** Widths in thousandths of the size, two digits of base 36 a character; 00 for what the font has not. */
function widthsOf(/** @type {string} */ path) {
  const font = readFileSync(path)
  const tables = tablesOf(font)
  const at = (/** @type {string} */ name) => tables.get(name) ?? 0
  const em = font.readUInt16BE(at('head') + 18)
  const last = font.readUInt16BE(at('hhea') + 34) - 1
  const glyphOf = glyphsOf(font, at('cmap'))
  return RANGES.flatMap(([from = 0, to = 0]) => Array.from({ length: to - from + 1 }, (_, n) => from + n))
    .map((code) => {
      const glyph = glyphOf(code)
      const width = glyph === 0 ? 0 : Math.round((font.readUInt16BE(at('hmtx') + Math.min(glyph, last) * 4) * 1000) / em)
      return Math.min(width, 1295).toString(36).padStart(2, '0')
    })
    .join('')
}

const tables = Object.entries(FAMILIES).map(([family, free]) => {
  const styles = STYLES.map((style) =>
    widthsOf(execFileSync('fc-match', ['-f', '%{file}', `${free}:style=${style}`], { encoding: 'utf8' })),
  )
  return `  '${family}': [\n${styles.map((widths) => `    '${widths}',\n`).join('')}  ],\n`
})

const source = `/*
 * Made by build/font-widths.mjs from fonts of the same widths: Liberation and Carlito (SIL Open Font License), Caladea (Apache-2.0). Only numbers are taken.
 */

/** The first and last characters of what the tables hold, one range after the other. */
export const WIDTH_RANGES: readonly (readonly [number, number])[] = ${JSON.stringify(RANGES)}

/** Widths of regular, bold, italic, bold italic letters in thousandths of the size: two digits of base 36 a character, 00 where there is none. */
export const FONT_WIDTHS: Readonly<Record<string, readonly [string, string, string, string]>> = {
${tables.join('')}}
`
writeFileSync(join(root, 'engine/office/font-widths.ts'), source)
