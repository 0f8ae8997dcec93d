import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { LongestFirst } from './tests/longest-first.ts'
import { canStartPostgres } from './tests/server/database/postgres-server.ts'

const root = fileURLToPath(new URL('.', import.meta.url))

/** On a machine that is busy with other things a page or a database may miss its moment; the report names what passed only at the second or third try. */
const RETRIES = 2

/** What changes the modules or the globals of a whole process. */
const PROCESS_WIDE = /vi\.(mock|stubGlobal)\(|Object\.assign\(globalThis|configureGlobal\(|fixtures\/checkout\.ts/

const files = readdirSync(`${root}tests`, { recursive: true, encoding: 'utf8' })
  .map((name) => `tests/${name.replaceAll('\\', '/')}`)
  .filter((name) => name.endsWith('.test.ts'))
const changesProcess = (name: string): boolean => PROCESS_WIDE.test(readFileSync(root + name, 'utf8'))

/** What opens a database by the fixtures, which choose PostgreSQL in the project of that name. */
const USES_DATABASE = /\b(testServer|sharedServer|testQueue|testPlace|testShop|testDatabase|emptyPostgres)\b/

/** Of the server's tests those whose time is the engine's, a cipher's or the storage's, whatever the database. `npm run test:postgres` runs them too, and the page's. */
const ONCE =
  /server\/(together|cut-out|cut-out-holes|colours|guests|jobs|operators|retention|providers|hostile|site|headers|rates|outage|stalled-link|storage-away|deletion)\.test/

const isForPostgres = (name: string): boolean =>
  (process.env['TEST_POSTGRES'] === 'all' || (name.startsWith('tests/server/') && !ONCE.test(name))) &&
  !changesProcess(name) &&
  USES_DATABASE.test(readFileSync(root + name, 'utf8'))

/** The same tests of the server once more, on PostgreSQL. */
function onPostgres(): TestProjectInlineConfiguration[] {
  if (!canStartPostgres()) {
    console.warn('这台机器上没有可用的 PostgreSQL：在它上面的测试已全部跳过')
    return []
  }
  const { test, ...rest } = project('postgres', false, files.filter(isForPostgres))
  return [{ ...rest, test: { ...test, globalSetup: ['tests/postgres-setup.ts'] } }]
}

const own = {
  resolve: { conditions: ['own-source'] },
  ssr: { resolve: { conditions: ['own-source'] } },
}

const project = (name: string, isolate: boolean, include: string[], retry = RETRIES): TestProjectInlineConfiguration => ({
  ...own,
  test: {
    name,
    root,
    include,
    isolate,
    testTimeout: 180_000,
    hookTimeout: 180_000,
    retry,
    // It asks for Electron, in whose place some tests put their own.
    server: { deps: { inline: ['electron-store'] } },
  },
})

export default defineConfig({
  ...own,
  test: {
    root,
    globalSetup: ['tests/global-setup.ts'],
    // Twice the cores of a small machine: tests wait a quarter of their time, measured with three.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    // Loading the server and its libraries takes a second or three: files that leave no trace share a process, and what it has loaded.
    projects:
      process.env['SOAK'] === undefined
        ? [
            project('apart', true, files.filter(changesProcess)),
            project(
              'together',
              false,
              files.filter((name) => !changesProcess(name)),
            ),
            ...onPostgres(),
          ]
        : // Soaks take minutes to hours and measure; `npm test` runs none of them.
          [project('soak', true, ['tests/soak/*.soak.ts'], 0)],
  },
})
