import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { longDocument } from './documents/long-document.mjs'
import { CHILD_FLAGS } from '#engine/launch'
import { MAX_PDF_PAGES } from '#shared/tools/pdf-source'

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
  { name: 'pptx', tool: 'pdf-to-ppt', goals: { ssim: '0.85', charF1: '', pagesOk: '' } },
  { name: 'ofd', tool: 'pdf-to-ofd', goals: { ssim: '0.95', charF1: '0.99', order: '', share: '<=1.5' } },
  { name: 'txt', tool: 'pdf-to-text', goals: { charF1: '0.99', order: '' } },
]

/** What every conversion may cost: milliseconds a page, of the processor's (all threads) and of the clock's, and the most memory that its process ever had. */
const COSTS = { msPage: '<=50', wallPage: '', rssMb: '<=400' }
const LONG = { pages: 1000, seconds: '<=60' }

/** Debian's own, for which its numpy is. */
const PYTHON = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3'

/** @typedef {Record<string, number | string | boolean | undefined> & { id: string }} Row */

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

/** A goal's row beside the means'. */
const goalRow = (/** @type {readonly (string | undefined)[]} */ goals) =>
  `  ${'goal'.padEnd(17)}${goals.map((goal) => (goal ?? '').padStart(9)).join('')}`

const shown = (/** @type {number | undefined} */ value, digits = 3) => (value === undefined ? '-' : value.toFixed(digits)).padStart(9)

function print(/** @type {string} */ label, /** @type {readonly Row[]} */ rows, /** @type {readonly string[]} */ keys) {
  const cost = [mean(rows, 'msPage'), mean(rows, 'wallPage'), Math.max(...rows.map(({ rssMb }) => Number(rssMb ?? 0)))]
  const values = [...keys.map((key) => shown(mean(rows, key))), ...cost.map((value) => shown(value, 0))]
  console.log(`  ${label.padEnd(14)}${String(rows.length).padStart(3)}${values.join('')}`)
}

/** @typedef {readonly { id: string, pdf: string }[]} Jobs */

/**
 * What came of each file by a tool, and by the one that it suggests for scans; some come `before`, as in a process that has been at work for a while.
 * @returns {Row[]}
 */
function convert(
  /** @type {string} */ tool,
  /** @type {string} */ folder,
  /** @type {Jobs} */ jobs,
  /** @type {Jobs} */ before = [...jobs, ...jobs, ...jobs],
) {
  const list = join(folder, 'jobs.json')
  mkdirSync(folder, { recursive: true })
  writeFileSync(list, JSON.stringify({ before, jobs }))
  const converted = lines(process.execPath, [...CHILD_FLAGS, join(here, 'convert.mjs'), tool, folder, list])
  const other = FOR_SCANS.get(tool)
  const scans = jobs.filter(({ id }) => converted.some((row) => row.id === id && row['error'] === 'pdf.no-text'))
  if (!other || scans.length === 0) return converted
  // What recognising costs is told by its own benchmark.
  const recognised = convert(other, join(folder, other), scans, []).map((row) => ({
    ...row,
    ms: undefined,
    wall: undefined,
    rssMb: undefined,
    by: other,
  }))
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
      wallPage: row['wall'] && Number(row['wall']) / pages,
      pagesOk: row['pages'] && Number(row['pages'] === row['pagesOut']),
    }
  })
  const keys = Object.keys(goals)
  console.log(`\n${name}\n  ${'category'.padEnd(17)}${[...keys, 'ms/page', 'wall', 'MB'].map((key) => key.padStart(9)).join('')}`)
  const counted = rows.filter(({ error }) => !REFUSED.has(String(error)))
  for (const category of [...new Set(counted.map(({ id }) => kind.get(id) ?? ''))].toSorted())
    print(
      category,
      counted.filter(({ id }) => (kind.get(id) ?? '') === category),
      keys,
    )
  print('all', counted, keys)
  // Some files' own text is no text, by whatever reader: nothing that is compared with it says much. The scorer tells by that text alone.
  if (counted.some((row) => 'readable' in row))
    print(
      'readable',
      counted.filter((row) => row['readable'] !== false),
      keys,
    )
  // What reading letters off pictures costs, where a file doesn't tell them, is told by its own benchmark.
  if (counted.some((row) => row['reads']))
    print(
      'nothing read',
      counted.filter((row) => !row['reads'] && !row['by']),
      keys,
    )
  console.log(goalRow([...keys.map((key) => goals[key]), COSTS.msPage, COSTS.wallPage, COSTS.rssMb]))
  for (const { id, seenF1 } of counted)
    if (typeof seenF1 === 'number')
      console.log(`  ${id}: its own text is none; charF1 to what tesseract reads off its pages ${shown(seenF1).trim()}`)
  for (const { id, by } of rows) if (by) console.log(`  ${id}: by ${by}`)
  for (const { id, error } of rows)
    if (error) console.log(`  ${id}: ${error}${REFUSED.has(String(error)) ? ' (refused, not counted)' : ''}`)
}

/** The corpus's files, or `only` some of them, by each tool. */
function benchCorpus(
  /** @type {readonly (typeof conversions[number])[]} */ chosen,
  /** @type {readonly string[]} */ present,
  /** @type {readonly string[] | undefined} */ only,
  /** @type {string} */ folder,
) {
  if (!existsSync(corpus)) return console.log(`Skipped: the test documents are not at ${corpus}.`)
  const needed = ['soffice', 'pdftoppm', '/usr/share/poppler/cMap', 'python3'].filter((program) => !present.includes(program))
  if (needed.length > 0) return console.log(`Skipped: ${needed.join(', ')} not found.`)
  const files = readdirSync(corpus).filter((file) => file.endsWith('.pdf'))
  const jobs = files.map((file) => ({ id: file.slice(0, -4), pdf: join(corpus, file) })).filter(({ id }) => !only || only.includes(id))
  for (const one of chosen) benchOne(one, jobs, folder)
}

/**
 * What a thousand pages cost by each tool, in documents as long as they may be, in a process of their own. A few pages come before, so that loading
 * counts to nobody.
 */
async function benchLong(/** @type {readonly (typeof conversions[number])[]} */ chosen, /** @type {string} */ folder) {
  const [few, many] = [join(folder, 'few.pdf'), join(folder, 'many.pdf')]
  writeFileSync(few, await longDocument(5))
  writeFileSync(many, await longDocument(MAX_PDF_PAGES))
  /** @type {{ id: string, pdf: string }[]} */
  const jobs = []
  for (let pages = 0; pages < LONG.pages; pages += MAX_PDF_PAGES) jobs.push({ id: `from ${pages}`, pdf: many })
  console.log(`\n${`${LONG.pages} pages`.padEnd(19)}${['ms/page', 's', 'MB'].map((key) => key.padStart(9)).join('')}`)
  for (const { name, tool } of chosen) {
    const rows = convert(tool, join(folder, `long-${name}`), jobs, [{ id: 'few', pdf: few }])
    const failed = rows.find((row) => !row['out'])
    const sum = (/** @type {string} */ key) => rows.reduce((total, row) => total + Number(row[key]), 0)
    const shares = [shown(sum('ms') / LONG.pages, 1), shown(sum('wall') / 1000, 1), shown(Number(rows.at(-1)?.['rssMb']), 0)]
    console.log(`  ${name.padEnd(17)}${failed || rows.length === 0 ? String(failed?.['error'] ?? 'no answer') : shares.join('')}`)
  }
  console.log(goalRow([COSTS.msPage, LONG.seconds, COSTS.rssMb]))
}

/**
 * Every conversion of PDFs, or those named (`docx xlsx`), on the corpus; documents are looked at as LibreOffice shows them. Then what
 * a thousand pages cost; `long` measures only that, and needs no corpus.
 */
export async function bench(/** @type {readonly string[]} */ present, /** @type {readonly string[]} */ words) {
  const only = words
    .find((word) => word.startsWith('only='))
    ?.slice(5)
    .split(',')
  const names = words.filter((word) => conversions.some(({ name }) => name === word))
  const chosen = conversions.filter(({ name }) => names.length === 0 || names.includes(name))
  const folder = mkdtempSync(join(tmpdir(), 'qingtu-documents-'))
  try {
    if (!words.includes('long')) benchCorpus(chosen, present, only, folder)
    if (!only) await benchLong(chosen, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
