import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Real PDFs of all kinds, which the project does not hold itself; tables with `-str.xml` beside them say what is in their cells. */
const corpus = fileURLToPath(new URL('../../../shared/corpus/documents', import.meta.url))
const here = fileURLToPath(new URL('documents/', import.meta.url))

/**
 * What is converted, what is told of it, and what is to be reached: a line each. Another format is one more entry (and its way to be looked at in
 * score.py).
 * @type {readonly { name: string, tool: string, goals: Readonly<Record<string, string>> }[]}
 */
const conversions = [
  {
    name: 'docx',
    tool: 'pdf-to-word',
    goals: { ssim: '0.75', block: '0.75', charF1: '0.985', order: '0.93', boxes: '<=0.05', pagesOk: '0.90', cellF1: '0.92', adjF1: '0.90' },
  },
  { name: 'xlsx', tool: 'pdf-to-excel', goals: { cellF1: '0.92', adjF1: '0.90' } },
  { name: 'pptx', tool: 'pdf-to-ppt', goals: { ssim: '0.85', charF1: '' } },
  { name: 'ofd', tool: 'pdf-to-ofd', goals: { ssim: '0.95', charF1: '0.99', order: '', share: '<=1.5' } },
  { name: 'txt', tool: 'pdf-to-text', goals: { charF1: '0.99', order: '' } },
]

/** Debian's own, for which its numpy is. */
const PYTHON = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3'

/** @typedef {Record<string, number | string | undefined> & { id: string }} Row */

/** Why a file is not converted that is not to be: it wants its password, or holds no text to convert. */
const REFUSED = new Set(['pdf.password', 'pdf.restricted', 'pdf.no-text'])

/** What the product suggests for a scan, by the tool that refuses it: its document counts for that tool's. */
const FOR_SCANS = new Map([['pdf-to-word', 'pdf-ocr']])

/** What a program answers, a JSON object a line. @returns {Row[]} */
function lines(/** @type {string} */ command, /** @type {readonly string[]} */ words, input = '') {
  const { stdout } = spawnSync(command, words, { input, encoding: 'utf8', maxBuffer: 1e9, stdio: ['pipe', 'pipe', 'inherit'] })
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
}

/** Categories of the files by their ids. */
function categories() {
  const list = join(corpus, 'INDEX.tsv')
  const rows = existsSync(list) ? readFileSync(list, 'utf8').split('\n') : []
  return new Map(rows.map((row) => row.split('\t')).map(([, id = '', category = '']) => [id, category]))
}

/** A column's mean over the rows that have it; what failed counts as 0. */
function mean(/** @type {readonly Row[]} */ rows, /** @type {string} */ key) {
  const values = rows.flatMap((row) =>
    typeof row[key] === 'number' ? [row[key]] : row['error'] && key !== 'cellF1' && key !== 'adjF1' ? [0] : [],
  )
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length
}

const shown = (/** @type {number | undefined} */ value, digits = 3) => (value === undefined ? '-' : value.toFixed(digits)).padStart(9)

function print(/** @type {string} */ label, /** @type {readonly Row[]} */ rows, /** @type {readonly string[]} */ keys) {
  const cost = [mean(rows, 'msPage'), Math.max(...rows.map(({ rssMb }) => Number(rssMb ?? 0)))]
  console.log(
    `  ${label.padEnd(14)}${String(rows.length).padStart(3)}${keys.map((key) => shown(mean(rows, key))).join('')}${shown(cost[0], 0)}${shown(cost[1], 0)}`,
  )
}

/** What came of each file by a tool, and by the one that it suggests for scans. @returns {Row[]} */
function convert(/** @type {string} */ tool, /** @type {string} */ folder, /** @type {readonly { id: string, pdf: string }[]} */ jobs) {
  const list = join(folder, 'jobs.json')
  mkdirSync(folder, { recursive: true })
  writeFileSync(list, JSON.stringify(jobs))
  const converted = lines(process.execPath, [join(here, 'convert.mjs'), tool, folder, list])
  const other = FOR_SCANS.get(tool)
  const scans = jobs.filter(({ id }) => converted.some((row) => row.id === id && row['error'] === 'pdf.no-text'))
  if (!other || scans.length === 0) return converted
  // What recognising costs is told by its own benchmark.
  const recognised = convert(other, join(folder, other), scans).map((row) => ({ ...row, ms: undefined, rssMb: undefined, by: other }))
  return converted.map((row) => recognised.find(({ id }) => id === row.id) ?? row)
}

/** Converts by one tool, scores, and prints a table by categories. */
function benchOne(
  /** @type {typeof conversions[number]} */ { name, tool, goals },
  /** @type {{ id: string, pdf: string }[]} */ jobs,
  /** @type {string} */ folder,
) {
  const converted = convert(tool, join(folder, name), jobs)
  const done = converted.filter(({ out }) => out)
  const asked = done.map(({ id, out }) => ({ id, out, pdf: join(corpus, `${id}.pdf`), truth: join(corpus, `${id}-str.xml`) }))
  const scored = new Map(
    lines(PYTHON, [join(here, 'score.py')], asked.map((job) => JSON.stringify(job)).join('\n')).map((row) => [row.id, row]),
  )
  const kind = categories()
  /** @type {Row[]} */
  const rows = jobs.map(({ id }) => {
    /** @type {Row} */
    const row = { ...converted.find((one) => one.id === id), ...scored.get(id), id }
    const pages = Number(row['pages'] ?? 1)
    return {
      error: row['out'] ? undefined : 'no answer',
      ...row,
      msPage: row['ms'] && Number(row['ms']) / pages,
      pagesOk: row['pages'] && Number(row['pages'] === row['pagesOut']),
    }
  })
  const keys = Object.keys(goals)
  console.log(`\n${name}\n  ${'category'.padEnd(17)}${[...keys, 'ms/page', 'MB'].map((key) => key.padStart(9)).join('')}`)
  const counted = rows.filter(({ error }) => !REFUSED.has(String(error)))
  for (const category of [...new Set(counted.map(({ id }) => kind.get(id) ?? ''))].toSorted())
    print(
      category,
      counted.filter(({ id }) => (kind.get(id) ?? '') === category),
      keys,
    )
  print('all', counted, keys)
  console.log(`  ${'goal'.padEnd(17)}${keys.map((key) => (goals[key] ?? '').padStart(9)).join('')}`)
  for (const { id, by } of rows) if (by) console.log(`  ${id}: by ${by}`)
  for (const { id, error } of rows)
    if (error) console.log(`  ${id}: ${error}${REFUSED.has(String(error)) ? ' (refused, not counted)' : ''}`)
}

/** Every conversion of PDFs, or those named (`docx xlsx`), on the corpus; documents are looked at as LibreOffice shows them. */
export function bench(/** @type {readonly string[]} */ present, /** @type {readonly string[]} */ words) {
  if (!existsSync(corpus)) return console.log(`Skipped: the test documents are not at ${corpus}.`)
  const needed = ['soffice', 'pdftoppm', 'python3'].filter((program) => !present.includes(program))
  if (needed.length > 0) return console.log(`Skipped: ${needed.join(', ')} not found.`)
  const only = words
    .find((word) => word.startsWith('only='))
    ?.slice(5)
    .split(',')
  const names = words.filter((word) => !word.includes('='))
  const folder = mkdtempSync(join(tmpdir(), 'qingtu-documents-'))
  const files = readdirSync(corpus).filter((file) => file.endsWith('.pdf'))
  const jobs = files.map((file) => ({ id: file.slice(0, -4), pdf: join(corpus, file) })).filter(({ id }) => !only || only.includes(id))
  for (const one of conversions) if (names.length === 0 || names.includes(one.name)) benchOne(one, jobs, folder)
  rmSync(folder, { recursive: true, force: true })
}
