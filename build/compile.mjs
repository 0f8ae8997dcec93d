import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, runStep } from './setup.mjs'
import { areWeightsPlaced, placeWeights } from './weights.mjs'

const SOURCES = ['shared', 'engine', 'server', 'electron', 'renderer', 'vite.config.ts', 'tsconfig.json', 'package-lock.json']
const dist = join(root, 'dist')
const stampFile = join(dist, '.sources')

/** Every source file with its size and time, as one hash: what the last build was made from. */
function fingerprint() {
  const hash = createHash('sha256')
  const add = (/** @type {string} */ path) => {
    const entry = statSync(join(root, path))
    if (entry.isDirectory()) {
      for (const name of readdirSync(join(root, path)).toSorted()) add(`${path}/${name}`)
      return
    }
    hash.update(`${path} ${entry.size} ${entry.mtimeMs}\n`)
  }
  SOURCES.filter((path) => existsSync(join(root, path))).forEach(add)
  return hash.digest('hex')
}

/**
 * Compiles the sources to dist/ and puts the models there, for whoever has the turn, unless dist/ was made from these very files.
 * A stale dist/ goes first: a removed file must not live on in it.
 */
export async function compile() {
  const current = fingerprint()
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === current && areWeightsPlaced()) return
  for (const folder of ['shared', 'engine', 'server', 'electron', 'shell', 'site'])
    rmSync(join(dist, folder), { recursive: true, force: true })
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  runStep('编译', [compiler, '-b', 'shared', 'engine', 'server', 'electron'])
  mkdirSync(dist, { recursive: true })
  await placeWeights()
  writeFileSync(stampFile, current)
}
