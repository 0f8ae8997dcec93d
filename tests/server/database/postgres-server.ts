import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { chown, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'

const INSTALLED = '/usr/lib/postgresql'

/** A PostgreSQL server of the tests' own, on a socket in a temporary folder. */
export interface PostgresServer {
  /** Makes an empty database; its URL. */
  database(): Promise<string>
  /** Of the process that starts all others. */
  readonly pid: () => number
  /** Where it listens. */
  readonly socket: string
  /** Ends it at once and starts it again: its clients cut off in order, without a checkpoint, or killed with what they had in hand. */
  restart(how: 'fast' | 'immediate' | 'kill', awayMs: number): Promise<void>
  stop(): Promise<void>
}

/** PostgreSQL refuses to run as root, so root lends it the system's `postgres` user. */
function owner(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return {} as never // spawn takes an absent uid as "this user"
  const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'postgres'], { stdio: ['ignore', 'pipe', 'ignore'] }))
  try {
    return { uid: idOf('-u'), gid: idOf('-g') }
  } catch {
    return undefined
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  const isThere = await client.connect().then(
    () => true,
    () => false,
  )
  await client.end().catch(() => {})
  return isThere
}

function find(): { user: { uid: number; gid: number }; version: string } | undefined {
  const version = existsSync(INSTALLED) ? readdirSync(INSTALLED).toSorted().at(-1) : undefined
  const user = owner()
  return version === undefined || user === undefined ? undefined : { user, version }
}

/** Whether PostgreSQL is installed and can run here. */
export const canStartPostgres = (): boolean => find() !== undefined

/** Starts a server where PostgreSQL is installed; undefined where it is not, or where it can't run. */
export async function startPostgres(): Promise<PostgresServer | undefined> {
  const found = find()
  if (!found) return undefined
  const { user, version } = found
  const program = (name: string): string => join(INSTALLED, version, 'bin', name)
  const folder = await mkdtemp(join(tmpdir(), 'qingtu-pg-'))
  const data = join(folder, 'data')
  await mkdir(data, { mode: 0o700 })
  if (user.uid !== undefined) for (const path of [folder, data]) await chown(path, user.uid, user.gid)
  execFileSync(program('initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
    ...user,
    stdio: 'ignore',
    cwd: folder,
  })
  // As many tests at a time as there are workers, and servers with a pool each.
  const settings = ['listen_addresses=', 'max_connections=300'].flatMap((one) => ['-c', one])
  const urlOf = (name: string): string => `postgres://postgres@localhost/${name}?host=${encodeURIComponent(folder)}`
  const launch = async (): Promise<ChildProcess> => {
    for (let tries = 0; ; tries++) {
      const one = spawn(program('postgres'), ['-D', data, '-k', folder, '-F', ...settings], { ...user, stdio: 'ignore', cwd: folder })
      while (one.exitCode === null && !(await answers(urlOf('postgres')))) await wait(50)
      if (one.exitCode === null) return one
      // What a killed one has left notices that only after a moment.
      if (tries === 100) throw new Error(`postgres ended with ${one.exitCode}`)
      await wait(100)
    }
  }
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const gone = once(server, 'exit')
    server.kill(signal)
    await gone
  }
  let server = await launch()
  let databases = 0
  return {
    database: async () => {
      const name = `test_${++databases}`
      const client = new pg.Client({ connectionString: urlOf('postgres') })
      await client.connect()
      await client.query(`create database ${name}`)
      await client.end()
      return urlOf(name)
    },
    pid: () => server.pid ?? 0,
    socket: join(folder, '.s.PGSQL.5432'),
    restart: async (how, awayMs) => {
      await end(({ fast: 'SIGINT', immediate: 'SIGQUIT', kill: 'SIGKILL' } as const)[how])
      await wait(awayMs)
      server = await launch()
    },
    stop: async () => {
      await end('SIGINT') // PostgreSQL's fast shutdown
      await rm(folder, { recursive: true, force: true })
    },
  }
}
