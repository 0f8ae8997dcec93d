import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { suppressions } from '#build/lint'

const root = fileURLToPath(new URL('../..', import.meta.url))
let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'house-rules-'))
  for (const path of ['.oxlintrc.json', 'package.json', 'build/lint-rules.mjs'])
    cpSync(join(root, path), join(folder, path), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What the linter says of some files, laid out as a project of their own. */
function lint(files: Readonly<Record<string, string>>): string {
  for (const name of ['shared', 'engine', 'server', 'renderer', 'electron']) rmSync(join(folder, name), { recursive: true, force: true })
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const { stdout } = spawnSync(process.execPath, [join(root, 'node_modules/oxlint/bin/oxlint'), '--format=unix'], {
    cwd: folder,
    encoding: 'utf8',
  })
  return stdout
}

const doc = '/** What it is. */\n'
const many = (count: number, line: string): string => Array.from({ length: count }, () => line).join('\n')

describe('the linter refuses, seeded once each:', () => {
  test.each<[string, string, Record<string, string>]>([
    ['an import against the arrows', 'may not import #engine', { 'shared/a.ts': `import { run } from '#engine/run'\nrun()\n` }],
    ['the server inside the engine', 'may not import #server', { 'engine/a.ts': `import { app } from '#server/app'\napp()\n` }],
    ['an import against the arrows by re-export', 'may not import #engine', { 'shared/a.ts': `${doc}export { run } from '#engine/run'\n` }],
    ['an import against the arrows on demand', 'may not import #engine', { 'renderer/a.ts': `void import('#engine/run')\n` }],
    ['Node in shared/', 'runs without Node', { 'shared/a.ts': `import { join } from 'node:path'\njoin('a')\n` }],
    ["another world's package", 'does not belong in engine/', { 'engine/a.ts': `import React from 'react'\nReact.version\n` }],
    ['sharp in the page', 'does not belong in renderer/', { 'renderer/a.tsx': `import sharp from 'sharp'\nsharp()\n` }],
    [
      'a relative way round the arrows',
      'stays in its own',
      { 'shared/a.ts': `import { run } from '../engine/run.ts'\nrun()\n`, 'engine/run.ts': `${doc}export const run = () => {}\n` },
    ],
    ['climbing two folders', 'climbs at most one folder', { 'engine/x/y/a.ts': `import { run } from '../../run.ts'\nrun()\n` }],
    [
      'an import cycle',
      'no-cycle',
      {
        'engine/a.ts': `import { b } from './b.ts'\n${doc}export const a = () => b\n`,
        'engine/b.ts': `import { a } from './a.ts'\n${doc}export const b = () => a\n`,
      },
    ],
    ['any', 'no-explicit-any', { 'engine/a.ts': `${doc}export const a = (b: any): unknown => b\n` }],
    ['a non-null assertion', 'no-non-null-assertion', { 'engine/a.ts': `${doc}export const a = (b?: string): string => b!\n` }],
    [
      'a cast without a reason',
      'a cast needs its reason',
      { 'engine/a.ts': `${doc}export const a = (b: unknown): string => b as string\n` },
    ],
    ['an export without a doc comment', 'has a doc comment', { 'shared/a.ts': `export const a = 1\n` }],
    ['a file over 250 lines', 'max-lines', { 'engine/a.ts': `${many(260, `void 0`)}\n` }],
    [
      'a function over 60 lines',
      'max-lines-per-function',
      { 'engine/a.ts': `${doc}export function a(): void {\n${many(61, `  void 0`)}\n}\n` },
    ],
    ['a component over 120 lines', 'max-lines-per-function', { 'renderer/a.tsx': `export function A() {\n${many(121, `  void 0`)}\n}\n` }],
    ['a default export', 'no-default-export', { 'engine/a.ts': `${doc}export default 1\n` }],
  ])('%s', (_title, complaint, files) => {
    expect(lint(files)).toContain(complaint)
  })

  test('a comment that switches a check off', () => {
    const path = join(folder, 'engine/a.ts')
    mkdirSync(dirname(path), { recursive: true })
    for (const comment of [
      ['oxlint', 'disable'],
      ['@ts', 'expect-error'],
      ['eslint', 'disable-next-line no-console'],
    ].map((words) => words.join('-'))) {
      writeFileSync(path, `// ${comment}\nvoid 0\n`)
      expect(suppressions(folder)).toEqual([join('engine', 'a.ts') + ':1'])
    }
  })
})

test('a well-kept file passes, so the rules above are what refuses', () => {
  const kept = `import { readFile } from 'node:fs/promises'\nimport { b } from '#shared/b'\n\n/** Reads it. */\nexport const a = () => readFile(b)\n`
  expect(lint({ 'engine/a.ts': kept, 'shared/b.ts': `${doc}export const b = 'x'\n` })).not.toMatch(/Error|Warning/)
})

test('no barrel, utils, helpers, common, types or constants files', () => {
  const names = ['shared', 'engine'].flatMap((one) => readdirSync(join(root, one), { recursive: true, encoding: 'utf8' }))
  expect(names.filter((name) => /(^|[/\\])(utils?|helpers?|common|types|constants)\.ts$/.test(name))).toEqual([])
  expect(names.filter((name) => /(^|[/\\])index\.ts$/.test(name))).toEqual([join('tools', 'index.ts')])
})

test('no folder brings lint rules of its own', () => {
  const nested = ['shared', 'engine', 'tests', 'build'].flatMap((one) =>
    readdirSync(join(root, one), { recursive: true, encoding: 'utf8' }),
  )
  expect(nested.filter((name) => name.includes('oxlintrc'))).toEqual([])
})

test('.ci/run calls npm test and nothing else', () => {
  expect(readFileSync(join(root, '.ci/run'), 'utf8')).toMatch(/exec npm test\n$/)
})
