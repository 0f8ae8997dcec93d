import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { compile } from './compile.mjs'
import { ensurePackages, root } from './setup.mjs'
import { buildShell } from './shell.mjs'
import { buildSite } from './site.mjs'
import { inTurn } from './turn.mjs'

const dist = join(root, 'dist')

/** Everything server and client need in dist/: compiled sources, the page, the client's scripts, and an initialised database to copy. What is current stays. */
export const build = () =>
  inTurn(async () => {
    await compile()
    // Compiling anew removes the page, which is made of the same sources.
    if (!existsSync(join(dist, 'site', 'index.html.br'))) buildSite()
    if (!existsSync(join(dist, 'shell', 'preload.cjs'))) buildShell()
    const { prepareTemplate } = await import('#server/database/template')
    await prepareTemplate(join(dist, 'database-template'))
  })

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  ensurePackages()
  await build()
}
