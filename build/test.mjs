import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { ensureElectron } from './electron-binary.mjs'
import { ensureChineseFont, ensureDebian, ensurePackages, root, show } from './setup.mjs'

ensurePackages()
// The database's tests run on PostgreSQL too, the page's in Chromium with a font that has Chinese; 7-Zip opens what we encrypt.
// The client's window opens on a screen of Xvfb's, by libraries of a desktop that Chromium brings; makensis reads the installer's script.
const programs = {
  pg_ctlcluster: 'postgresql',
  chromium: 'chromium',
  'chromium-headless-shell': 'chromium-headless-shell',
  'fc-list': 'fontconfig',
  '7zz': '7zip',
  Xvfb: 'xvfb',
  makensis: 'nsis',
}
ensureDebian(programs)
ensureChineseFont()
ensureElectron()

const bin = (/** @type {string} */ path) => join(root, 'node_modules', path)
const resultsFile = join(tmpdir(), `qingtu-tests-${process.pid}.json`)
let passed = 0
let failed = 0

/** One check of the whole tree counts as one test. */
function count(/** @type {number} */ status) {
  if (status === 0) passed += 1
  else failed += 1
}

/** Runs a script while others run, what it says kept for the end: `[status, output]`. */
function beside(/** @type {readonly string[]} */ script) {
  const child = spawn(process.execPath, script, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  /** @type {Promise<readonly [number, string]>} */
  const finished = Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]).then(([[code], out, err]) => [
    code ?? 1,
    out + err,
  ])
  return finished
}

// It keeps one core busy for half a minute, and the building of what is tested hardly another.
const linting = beside([join(root, 'build/lint.mjs')])
console.log('\n== types')
count(show(process.execPath, [bin('typescript/bin/tsc'), '-b']))
console.log('\n== tests')
const args = ['--reporter=default', '--reporter=json', `--outputFile.json=${resultsFile}`]
const status = show(process.execPath, [bin('vitest/vitest.mjs'), 'run', ...args])
const [lintStatus, lintOutput] = await linting
console.log(`\n== lint\n${lintOutput}`)
count(lintStatus)
/** @type {{ numPassedTests: number, numFailedTests: number }} */
const results = existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, 'utf8')) : { numPassedTests: 0, numFailedTests: 1 }
rmSync(resultsFile, { force: true })
passed += results.numPassedTests
// A file that can't even be loaded has no failed test of its own, and fails the run all the same.
failed += Math.max(results.numFailedTests, status === 0 ? 0 : 1)
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
