import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './setup.mjs'
import { ownWeights, shippedWeights } from './weights.mjs'

/** @typedef {{ name: string, version: string, licence: string, folder: string }} Shipped */
/** @typedef {Shipped & { path: string, integrity: string | undefined, isBundled: boolean }} ShippedPackage */

/** Licences that would bind the whole product: GPL and AGPL in any version. LGPL libraries stay replaceable files and are fine. */
export const isForbidden = (/** @type {string} */ licence) => {
  const offers = licence.split(/\s+OR\s+/i)
  return offers.every((offer) => /(^|[^L])A?GPL/i.test(offer) || /unknown|unlicensed/i.test(offer))
}

/** @typedef {{ version?: string, integrity?: string, license?: string, dev?: boolean, devOptional?: boolean, dependencies?: Record<string, string> }} Locked */

/** What the page and the client's main process are bundled from: folders whose imports of packages end up in the bundles. */
const BUNDLED = ['renderer', 'electron']

/** The package that an imported name is of: `@scope/name/part` is one of `@scope/name`. */
export const packageOf = (/** @type {string} */ specifier) => /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? ''

/** The names of packages that sources import. */
function importedNames() {
  const specifier = /(?:from|import)\s*\(?\s*'([^'.#][^']*)'/g
  const found = BUNDLED.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .flatMap((name) => [...readFileSync(join(root, folder, name), 'utf8').matchAll(specifier)].map(([, one = '']) => one)),
  )
  return [...new Set(found.map(packageOf))].filter((name) => !name.startsWith('node:'))
}

/** Where a package lies that another one asks for: in its own folder or in one around it. */
function pathOf(/** @type {Record<string, Locked>} */ packages, /** @type {string} */ from, /** @type {string} */ name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    if (path in packages) return path
    if (folder === '') return undefined
  }
}

/** Paths of the packages that are bundled though they are for development: those of the page and the client, with what they need. */
function bundledPaths(/** @type {Record<string, Locked>} */ packages) {
  const found = new Set(importedNames().flatMap((name) => pathOf(packages, '', name) ?? []))
  // A set hands out what is added while it is gone through.
  for (const path of found) {
    // Electron is its binary; what its package needs fetches that. Types are gone before anything ships.
    if (path === 'node_modules/electron') continue
    for (const name of Object.keys(packages[path]?.dependencies ?? {})) {
      const needed = name === 'type-fest' || name.startsWith('@types/') ? undefined : pathOf(packages, path, name)
      if (needed !== undefined) found.add(needed)
    }
  }
  return found
}

/**
 * Every package that ships: all of the lock file that is not for development, the binaries of other systems included, and what the page's and
 * the client's bundles are made of.
 * @returns {ShippedPackage[]}
 */
export function shippedPackages() {
  /** @type {{ packages: Record<string, Locked> }} */
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const bundled = bundledPaths(lock.packages)
  return Object.entries(lock.packages).flatMap(([path, entry]) => {
    if (path === '' || ((entry.dev || entry.devOptional) && !bundled.has(path))) return []
    const folder = join(root, path)
    const manifest = join(folder, 'package.json')
    const installed = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')) : {}
    const licence = entry.license ?? installed.license ?? 'UNKNOWN'
    const name = path.replace(/^.*node_modules\//, '')
    const { integrity, version = '' } = entry
    return [{ name, version, licence: String(licence), folder, path, integrity, isBundled: bundled.has(path) }]
  })
}

/**
 * Every file of weights that ships, under its own licence: what its package says is said of the package's code, which does not ship.
 * @returns {(Shipped & { file: string })[]}
 */
export const weightsThatShip = () =>
  shippedWeights.map(({ package: name, file, named, licence, text }) => {
    if (name === undefined) return { name: named, version: '', licence, folder: ownWeights, file }
    const folder = join(root, 'node_modules', name)
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return { file, name: `${named} of ${name}`, version, licence, folder: text === undefined ? folder : join(root, 'node_modules', text) }
  })

/** The licence texts a package brings along, or what its README says of its own and its parts' licences. */
function textsOf(/** @type {string} */ folder) {
  if (!existsSync(folder)) return ['(not installed on this system; same licence as above)']
  const names = readdirSync(folder)
    .toSorted()
    .filter((name) => /^(licen[cs]e|copying|notice|third[-_]party)/i.test(name))
  const texts = names.map((name) => readFileSync(join(folder, name), 'utf8').trim())
  const readme = join(folder, 'README.md')
  const about = existsSync(readme) ? /\n#+ Licen[cs](?:e|ing)[\s\S]*/i.exec(readFileSync(readme, 'utf8'))?.[0].trim() : undefined
  return texts.length > 0 ? texts : [about ?? '(the package holds no licence text)']
}

/** The whole notice file: one part a package or file of weights, sorted by name. */
export function notices() {
  const parts = [...shippedPackages(), ...weightsThatShip()]
    .toSorted((left, right) => left.name.localeCompare(right.name))
    .map(({ name, version, licence, folder }) =>
      [`${'='.repeat(78)}\n${name} ${version}\n${licence}\n${'='.repeat(78)}`, ...textsOf(folder)].join('\n\n'),
    )
  return `轻图使用了以下第三方软件。\n\n${parts.join('\n\n')}\n`
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const file = join(root, 'dist', 'third-party-notices.txt')
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(file, notices())
  console.log(`${shippedPackages().length} packages, ${weightsThatShip().length} models → ${file}`)
}
