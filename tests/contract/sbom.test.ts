import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { billOfMaterials } from '#build/sbom'
import { root } from '#build/setup'

/** What this test reads of the lock file. */
interface Locked {
  readonly version: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly devOptional?: boolean
}

const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> } // npm’s own form
const bill = billOfMaterials()
const byRef = new Map(bill.components.map((component) => [component['bom-ref'], component]))

describe('the bill of materials', () => {
  test('names every package of the lock file that is not for development alone, with its version and hash', () => {
    const needed = Object.entries(packages).filter(([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional)
    expect(needed.length).toBeGreaterThan(100)
    for (const [path, { version, integrity = '' }] of needed) {
      const hex = Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex')
      expect(byRef.get(path)).toMatchObject({ version, hashes: [{ alg: 'SHA-512', content: hex }] })
    }
  })

  test('names what the page and the client are bundled from, and nothing that only builds or tests', () => {
    const names = bill.components.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['react', 'jotai', 'electron', 'electron-updater']))
    for (const name of ['vitest', 'vite', 'typescript', 'playwright-core', 'oxlint']) expect(names).not.toContain(name)
    for (const ref of byRef.keys()) if (!ref.startsWith('models/')) expect(packages).toHaveProperty([ref])
  })

  test('names every file of weights and fonts that ships, by the hash of its bytes', () => {
    const folder = join(root, 'dist/models')
    const files = readdirSync(folder)
    expect(files.length).toBeGreaterThan(5)
    for (const file of files) {
      const content = createHash('sha256')
        .update(readFileSync(join(folder, file)))
        .digest('hex')
      expect(byRef.get(`models/${file}`)?.hashes).toEqual([{ alg: 'SHA-256', content }])
    }
  })

  test('is CycloneDX: each part once, with a type, a name and a licence', () => {
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1 })
    expect(byRef.size).toBe(bill.components.length)
    for (const { type, name, licenses } of bill.components) {
      expect(['library', 'machine-learning-model', 'file']).toContain(type)
      expect(name).not.toBe('')
      expect(licenses).toHaveLength(1)
    }
  })
})
