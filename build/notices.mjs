import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './setup.mjs'
import { ownWeights, shippedWeights } from './weights.mjs'

/** @typedef {{ name: string, version: string, licence: string, folder: string }} Shipped */

/** Licences that would bind the whole product: GPL and AGPL in any version. LGPL libraries stay replaceable files and are fine. */
export const isForbidden = (/** @type {string} */ licence) => {
  const offers = licence.split(/\s+OR\s+/i)
  return offers.every((offer) => /(^|[^L])A?GPL/i.test(offer) || /unknown|unlicensed/i.test(offer))
}

/**
 * Every package that ships: all of the lock file that is not for development, the binaries of other systems included.
 * @returns {Shipped[]}
 */
export function shippedPackages() {
  /** @type {{ packages: Record<string, { version?: string, license?: string, dev?: boolean, devOptional?: boolean }> }} */
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return Object.entries(lock.packages).flatMap(([path, entry]) => {
    if (path === '' || entry.dev || entry.devOptional) return []
    const folder = join(root, path)
    const manifest = join(folder, 'package.json')
    const installed = existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')) : {}
    const licence = entry.license ?? installed.license ?? 'UNKNOWN'
    return [{ name: path.replace(/^.*node_modules\//, ''), version: entry.version ?? '', licence: String(licence), folder }]
  })
}

/**
 * Every file of weights that ships, under its own licence: what its package says is said of the package's code, which does not ship.
 * @returns {Shipped[]}
 */
export const weightsThatShip = () =>
  shippedWeights.map(({ package: name, named, licence, text }) => {
    if (name === undefined) return { name: named, version: '', licence, folder: ownWeights }
    const folder = join(root, 'node_modules', name)
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return { name: `${named} of ${name}`, version, licence, folder: text === undefined ? folder : join(root, 'node_modules', text) }
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
