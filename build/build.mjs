import { join } from 'node:path'
import { compile } from './compile.mjs'
import { root } from './setup.mjs'
import { buildSite } from './site.mjs'

/** Everything a server needs in dist/: compiled sources, the page, and an initialised database to copy. What is current stays. */
export async function build() {
  if (compile()) buildSite()
  const { prepareTemplate } = await import('#server/database/template')
  await prepareTemplate(join(root, 'dist', 'database-template'))
}
