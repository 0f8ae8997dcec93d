import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { expect, it } from 'vitest'
import { toSize } from '../fixtures/engine.ts'
import { openInstallation, type Installation } from '../fixtures/installation.ts'
import { photo } from '../fixtures/pictures.ts'
import { childrenOf } from '../fixtures/processes.ts'
import { print, rounds, spread } from '../fixtures/rounds.ts'
import type { ServerProcess } from '../fixtures/server-process.ts'
import { Visitor } from '../fixtures/server.ts'
import { tcpProxy } from '../fixtures/tcp-proxy.ts'

/** Workers that die at one moment, each at a job of its own: as many as a person may have at work, and as one takes over. */
const AT_ONCE = 5

/** What the database says of jobs, asked as often as is good for figures in tenths. */
async function watcher(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const count = async (which: string, ids: readonly string[]): Promise<number> => {
    const { rows } = await client.query<{ n: number }>(`select count(*)::integer as n from jobs where id = any($1) and ${which}`, [ids])
    return rows[0]?.n ?? 0
  }
  return {
    /** Waits until so many of the jobs are as said; calls back with each more that is. */
    until: async (which: string, ids: readonly string[], each = (): void => {}): Promise<void> => {
      for (let seen = 0; seen < ids.length; await wait(100)) for (const now = await count(which, ids); seen < now; seen++) each()
    },
    settled: async (ids: readonly string[]): Promise<number> => {
      const { rows } = await client.query<{ n: number }>(
        `select count(*)::integer as n from ledger where job_id = any($1) and state = 'committed'`,
        [ids],
      )
      return rows[0]?.n ?? 0
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
}

/** Ends workers in a way of which nobody hears; gives what tidies up. */
type Death = (workers: readonly ServerProcess[], network: Awaited<ReturnType<typeof tcpProxy>>) => Promise<() => Promise<void>>

const stopped: Death = async (workers) => {
  for (const { pid } of workers) process.kill(pid, 'SIGSTOP')
  return async () => {
    // Back in the end, they have nothing more to say.
    for (const { pid } of workers) process.kill(pid, 'SIGCONT')
    await Promise.all(workers.map((one) => one.end('SIGTERM')))
  }
}

/** Of a machine without power not even the end of its connections is heard. */
const powerless: Death = async (workers, network) => {
  network.state.isDead = true
  const children = workers.flatMap(({ pid }) => childrenOf(pid))
  await Promise.all(workers.map((one) => one.end('SIGKILL')))
  for (const pid of children) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It went with its parent.
    }
  }
  return async () => void (network.state.isDead = false)
}

async function oneRound(installation: Installation, url: string, die: Death, picture: Buffer) {
  await using network = await tcpProxy(() => installation.databaseSocket)
  await using watch = await watcher(installation.databaseUrl)
  const far = Object.assign(new URL(installation.databaseUrl), { search: '', host: `localhost:${network.port}` }).href
  const few = { AI_WORKERS: '0', DOCUMENT_WORKERS: '0' }
  const workers = await Promise.all(Array.from({ length: AT_ONCE }, () => installation.worker({ ...few, WORKERS: '1', DATABASE_URL: far })))
  const visitor = Object.assign(await Visitor.enter(url), { pollMs: 1000 })
  const ids = await visitor.start(
    Array.from({ length: AT_ONCE }, (_, n) => ({ name: `${n}.png`, bytes: picture })),
    toSize(100),
  )
  await watch.until(`state = 'running'`, ids)
  const next = await installation.worker({ ...few, WORKERS: String(AT_ONCE) })
  const tidy = await die(workers, network)
  const diedAt = performance.now()
  const again: number[] = []
  await watch.until(`interruptions = 1 and state <> 'queued'`, ids, () => again.push((performance.now() - diedAt) / 1000))
  await watch.until(`state = 'done'`, ids)
  const doneSeconds = (performance.now() - diedAt) / 1000
  await tidy()
  await next.end('SIGTERM')
  return { again, doneSeconds, paid: await watch.settled(ids) }
}

it.each([
  ['stopped workers (SIGSTOP)', stopped],
  ['workers without power', powerless],
])('jobs of %s run again within a minute, and are charged once', { timeout: 3_600_000 }, async (name, die) => {
  await using installation = await openInstallation()
  if (!installation) return console.log('skipped: PostgreSQL is not installed')
  const count = rounds(4)
  const api = await installation.api()
  const picture = await photo(2600, 2000).png({ compressionLevel: 1 }).toBuffer()
  const again: number[] = []
  const done: number[] = []
  let paid = 0
  for (let round = 0; round < count; round++) {
    const one = await oneRound(installation, api.url, die, picture)
    again.push(...one.again)
    done.push(one.doneSeconds)
    paid += one.paid
  }
  print(name, { rounds: count, jobs: again.length, paid, 'seconds until again at work': spread(again), 'until all done': spread(done) })
  expect(paid).toBe(count * AT_ONCE)
  expect(Math.max(...again)).toBeLessThanOrEqual(60)
})
