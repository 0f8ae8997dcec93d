import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { joinedChunks } from '#build/imgly'
import { models } from '#engine/ai/models'

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'qingtu-models-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const command = (...words: readonly string[]): { status: number | null; stdout: string; stderr: string } =>
  spawnSync(process.execPath, ['build/models.mjs', ...words], { encoding: 'utf8', env: { ...process.env, MODELS_DIR: folder } })

describe('npm run models', () => {
  test('lists every model with its licence, where it comes from and whether it is there', () => {
    const { status, stdout } = command()
    expect(status).toBe(0)
    for (const { id, licence, source } of models) {
      expect(stdout).toMatch(new RegExp(`^${id} .*${licence}`, 'm'))
      expect(stdout).toContain(source)
    }
    expect(stdout).toMatch(/^u2netp .*内置$/m)
    expect(stdout).toMatch(/^isnet .*未安装$/m)
  })

  test('fetches no AGPL weights before their terms are accepted', () => {
    const { status, stderr } = command('add', 'imgly')
    expect(status).toBe(2)
    expect(stderr).toMatch(/AGPL-3\.0[\s\S]*--accept-agpl/)
    expect(readdirSync(folder)).toEqual([])
  })

  test('refuses a file that is not what its source publishes', () => {
    const path = join(folder, 'other.onnx')
    writeFileSync(path, 'something else')
    const { status, stderr } = command('add', 'isnet', path)
    expect(status).toBe(1)
    expect(stderr).toContain('MD5')
    expect(readdirSync(folder)).toEqual(['other.onnx'])
  })

  test.each([[['add']], [['add', 'u2netp', 'x.onnx']], [['add', 'nobody', 'x.onnx']], [['remove']]])(
    'answers %j with how it is used',
    (words) => {
      const { status, stderr } = command(...words)
      expect(status).toBe(2)
      expect(stderr).toContain('用法')
    },
  )
})

describe('a model that comes in chunks', () => {
  const chunks = ['first ', 'second'].map((text) => ({ text, hash: createHash('sha256').update(text).digest('hex') }))
  const lay = (size: number): void => {
    for (const { text, hash } of chunks) writeFileSync(join(folder, hash), text)
    const resources = { '/models/medium': { size, chunks: chunks.map(({ hash }) => ({ hash })) } }
    writeFileSync(join(folder, 'resources.json'), JSON.stringify(resources))
  }

  test('is joined in the order of its list', () => {
    lay(12)
    expect(joinedChunks(folder).toString()).toBe('first second')
  })

  test('is refused when a chunk is not what its name says', () => {
    lay(12)
    writeFileSync(join(folder, chunks[1]?.hash ?? ''), 'secont')
    expect(() => joinedChunks(folder)).toThrow(/不符/)
  })

  test('is refused when it is not as long as the list says', () => {
    lay(13)
    expect(() => joinedChunks(folder)).toThrow(/13/)
  })
})
