import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, show } from './setup.mjs'

const SKIPPED = new Set(['node_modules', 'dist', '.git', '.data'])
// The bracketed hyphens keep this file from finding itself.
const SUPPRESSION = /(?:oxlint|eslint)[-]disable|@ts[-](?:ignore|expect-error|nocheck)|prettier[-]ignore/

/** Every comment under a folder that switches a check off, as `file:line`. None is allowed: rules are changed for all or not at all. */
export function suppressions(/** @type {string} */ folder) {
  /** @type {string[]} */
  const found = []
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    const inside = relative(folder, path)
    if (!entry.isFile() || !/\.(ts|tsx|mjs|css)$/.test(path) || inside.split(/[/\\]/).some((part) => SKIPPED.has(part))) continue
    readFileSync(path, 'utf8')
      .split('\n')
      .forEach((line, index) => SUPPRESSION.test(line) && found.push(`${inside}:${index + 1}`))
  }
  return found
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const found = suppressions(root)
  for (const place of found) console.error(`${place}: checks are not switched off in place`)
  const oxlint = show(process.execPath, [join(root, 'node_modules/oxlint/bin/oxlint'), '--deny-warnings'])
  const prettierArgs = ['--check', '--log-level=warn', '--cache', '--cache-strategy=content', '.']
  const prettier = show(process.execPath, [join(root, 'node_modules/prettier/bin/prettier.cjs'), ...prettierArgs])
  process.exitCode = found.length > 0 || oxlint !== 0 || prettier !== 0 ? 1 : 0
}
