import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { shippedPackages, weightsThatShip } from './notices.mjs'
import { root } from './setup.mjs'
import { areWeightsPlaced } from './weights.mjs'

/** An SPDX id where it is one, else an expression. */
const licencesOf = (/** @type {string} */ licence) =>
  /\s|\(/.test(licence) ? [{ expression: licence }] : [{ license: /^[\w.-]+$/.test(licence) ? { id: licence } : { name: licence } }]

/** Hashes as the lock file has them: base64 there, hexadecimal here. */
const hashesOf = (/** @type {string | undefined} */ integrity) =>
  (integrity ?? '').split(' ').flatMap((one) => {
    const [, algorithm, digest = ''] = /^(sha\d+)-(.+)$/.exec(one) ?? []
    return algorithm ? [{ alg: algorithm.replace('sha', 'SHA-'), content: Buffer.from(digest, 'base64').toString('hex') }] : []
  })

/** What everything that ships is made of, in CycloneDX 1.5: packages of the server, the page and the client, and files of weights and fonts. */
export function billOfMaterials() {
  const models = join(root, 'dist', 'models')
  const packages = shippedPackages().map(({ name, version, licence, path, integrity, isBundled }) => ({
    type: 'library',
    // One package may be there in several places.
    'bom-ref': path,
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: licencesOf(licence),
    hashes: hashesOf(integrity),
    properties: [{ name: 'qingtu:part', value: isBundled ? 'page, client' : 'server, engine' }],
  }))
  const files = weightsThatShip().map(({ name, version, licence, file }) => ({
    type: file.endsWith('.onnx') ? 'machine-learning-model' : 'file',
    'bom-ref': `models/${file}`,
    name,
    ...(version && { version }),
    licenses: licencesOf(licence),
    hashes: [
      {
        alg: 'SHA-256',
        content: createHash('sha256')
          .update(readFileSync(join(models, file)))
          .digest('hex'),
      },
    ],
    properties: [{ name: 'qingtu:part', value: 'engine' }],
  }))
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: { type: 'application', 'bom-ref': name, name, version } },
    components: [...packages, ...files],
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (!areWeightsPlaced()) {
    console.error('dist/models 里还没有模型文件：请先运行 npm run build。')
    process.exit(1)
  }
  const file = join(root, 'dist', 'sbom.cdx.json')
  const bill = billOfMaterials()
  writeFileSync(file, `${JSON.stringify(bill, undefined, 1)}\n`)
  console.log(`${bill.components.length} 个组成部分 → ${file}`)
}
