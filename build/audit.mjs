import { spawnSync } from 'node:child_process'
import { shippedPackages } from './notices.mjs'
import { ensurePackages, root } from './setup.mjs'

/** The registry could not be asked: nothing is known, which is neither good nor bad. */
const UNKNOWN = 2

/** @typedef {{ vulnerabilities?: Record<string, { name: string, severity: string, range: string }>, error?: { summary?: string }, message?: string }} Report */

ensurePackages()
// All of the lock file is asked about: the page and the client are bundled from packages that npm takes for development.
const { stdout } = spawnSync('npm', ['audit', '--json'], { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' })
/** @type {Report} */
const report = JSON.parse(stdout || '{}')
if (!report.vulnerabilities) {
  console.error(
    `没有检查：软件源不回答漏洞查询（${report.message ?? report.error?.summary ?? '连接失败'}）。请在能访问 npm 官方源的机器上再运行一次。`,
  )
  process.exit(UNKNOWN)
}
const shipped = new Set(shippedPackages().map(({ name }) => name))
const found = Object.values(report.vulnerabilities).map((one) => ({ ...one, ships: shipped.has(one.name) }))
for (const { name, severity, range, ships } of found) console.log(`${ships ? '会交付' : '仅开发'}\t${severity}\t${name} ${range}`)
const bad = found.filter(({ ships, severity }) => ships && severity !== 'info' && severity !== 'low')
console.log(`${found.length} 个已知漏洞，其中 ${bad.length} 个在交付的部分且不低于中等`)
process.exitCode = bad.length === 0 ? 0 : 1
