import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PDFDocument } from '@cantoo/pdf-lib'
import mammoth from 'mammoth'
import { ocrPages } from './ocr-pages.mjs'
import { localLimits } from '#engine/limits'
import { EnginePool } from '#engine/pool'
import { parseOptions } from '#shared/tools/index'

/** Characters as the scorer of documents counts them. */
const counted = (/** @type {string} */ text) => {
  /** @type {Map<string, number>} */
  const counts = new Map()
  for (const one of text.normalize('NFKC').replaceAll(/[\s\u200b]/g, '')) counts.set(one, (counts.get(one) ?? 0) + 1)
  return counts
}

/** The harmonic mean of how much of the true text was found and how much of the found is true. */
function f1(/** @type {string} */ truth, /** @type {string} */ found) {
  const [a, b] = [counted(truth), counted(found)]
  const sum = (/** @type {Map<string, number>} */ counts) => [...counts.values()].reduce((total, count) => total + count, 0)
  const common = [...a].reduce((total, [one, count]) => total + Math.min(count, b.get(one) ?? 0), 0)
  return (2 * common) / (sum(a) + sum(b))
}

async function scan(/** @type {Buffer} */ picture) {
  const pdf = await PDFDocument.create()
  const image = await pdf.embedJpg(picture)
  const { width, height } = image.scale(72 / 200)
  pdf.addPage([width, height]).drawImage(image, { x: 0, y: 0, width, height })
  return pdf.save()
}

const mean = (/** @type {readonly number[]} */ values) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

/** Word by OCR on scans of known text: how many characters are right, in what time, in what memory. `--show` prints what was read. */
export async function bench(/** @type {unknown} */ _, /** @type {readonly string[]} */ words = []) {
  const folder = mkdtempSync(join(tmpdir(), 'qingtu-bench-'))
  const pool = new EnginePool({ size: 1, aiSize: 1, limits: localLimits })
  /** @type {{ isSpoiled: boolean, score: number, seconds: number }[]} */
  const results = []
  let peak = 0
  try {
    for await (const { name, isSpoiled, text, picture } of ocrPages()) {
      const path = join(folder, 'scan.pdf')
      writeFileSync(path, await scan(picture))
      const started = performance.now()
      const out = mkdtempSync(join(folder, 'out-'))
      const options = parseOptions('pdf-ocr', {})
      const watch = { peak: (/** @type {number} */ bytes) => (peak = Math.max(peak, bytes)) }
      const [output] = await pool.run({ tool: 'pdf-ocr', options, inputs: [{ path, name: 'scan.pdf' }] }, out, watch)
      const seconds = (performance.now() - started) / 1000
      const { value } = await mammoth.extractRawText({ path: output?.path ?? '' })
      const score = f1(text, value)
      results.push({ isSpoiled, score, seconds })
      console.log(`${name.padEnd(22)} F1 ${score.toFixed(4)}  ${seconds.toFixed(1)} s`)
      if (words.includes('--show')) console.log(value)
    }
  } finally {
    pool.close()
    rmSync(folder, { recursive: true, force: true })
  }
  const of = (/** @type {boolean} */ isSpoiled) => mean(results.filter((one) => one.isSpoiled === isSpoiled).map(({ score }) => score))
  console.log(`\n${results.length} pages: clean ${of(false).toFixed(4)}, degraded ${of(true).toFixed(4)}`)
  console.log(`${mean(results.map(({ seconds }) => seconds)).toFixed(1)} s a page, ${(peak / 1e6).toFixed(0)} MB at most`)
}
