import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { testFolder, toSize } from '../fixtures/engine.ts'
import { anyAddress, visitors } from '../fixtures/load.ts'
import { photo } from '../fixtures/pictures.ts'
import { persist, print, rounds, spread } from '../fixtures/rounds.ts'
import { serverProcess, type ServerProcess } from '../fixtures/server-process.ts'
import { installation, Visitor } from '../fixtures/server.ts'
import { smallDisk } from '../fixtures/small-disk.ts'
import { residentBytes } from '#engine/launch'
import { openDatabase } from '#server/database/open'
import { jobs } from '#server/database/schema'
import { ledger } from '#server/database/schema-billing'
import { MAX_INPUTS, type JobView } from '#shared/api/jobs'
import { messageOf, type WireError } from '#shared/errors/app-error'
import { errorTexts } from '#shared/errors/codes'

const HOUR_MS = 3_600_000
const MB = 1024 ** 2
const NO_MOUNT = 'skipped: this process may not mount a disk (it takes root)'
const picture = (side: number): Promise<Buffer> => photo(side, side).jpeg({ quality: 95 }).toBuffer()

/** A server one of whose folders is a small disk; undefined where none can be mounted. */
async function scene(place: 'objects' | 'work' | 'database', megabytes: number, environment: Record<string, string> = {}) {
  const folder = await testFolder()
  const disk = smallDisk(join(folder.path, place), megabytes)
  if (!disk) {
    await folder[Symbol.asyncDispose]()
    return undefined
  }
  const start = (port = '0'): Promise<ServerProcess> => serverProcess(folder.path, { PORT: port, ...environment })
  let server = await start()
  return {
    disk,
    folder: folder.path,
    url: server.url,
    residentMb: (): number => Math.round((residentBytes(server.pid) ?? 0) / MB),
    end: () => server.end('SIGTERM'),
    /** What a watchdog does that has lost its patience. */
    restart: async (): Promise<void> => {
      await server.end('SIGKILL')
      server = await start(new URL(server.url).port)
    },
    [Symbol.asyncDispose]: async () => {
      await server.end('SIGKILL')
      disk[Symbol.dispose]()
      await folder[Symbol.asyncDispose]()
    },
  }
}

const bodyOf = (key: string, count = 1) => ({
  tool: 'compress-image',
  options: toSize(100),
  inputs: Array.from({ length: count }, () => ({ key, name: `${'名'.repeat(60)}.jpg` })),
})

/** Has an upload compressed, and gives the job once it has ended. */
async function compressed(visitor: Visitor, key: string): Promise<JobView> {
  const { jobs: started } = await persist(() => visitor.post<{ jobs: { id: string }[] }>('/api/jobs', bodyOf(key)))
  return visitor.ended(started[0]?.id ?? '')
}

/** What people were told, in the words of the registry, and how often. */
function inWords(failures: readonly WireError[]): string {
  const said = failures.map((one) => `${errorTexts[one.code].status} ${errorTexts[one.code].label} ${messageOf(one)}`)
  return [...new Set(said)].map((text) => `${said.filter((one) => one === text).length} × ${text}`).join(' / ')
}

it('the disk of the files fills up, and is emptied again', { timeout: HOUR_MS }, async ({ skip }) => {
  const count = rounds(20)
  await using all = await scene('objects', 64)
  if (!all) return skip(NO_MOUNT)
  const visitor = Object.assign(await Visitor.enter(all.url), { pollMs: 600 })
  const bytes = await picture(1400)
  const sums = { refused: 0, full: 0, done: 0, offered: 0 }
  const failures: WireError[] = []
  const seconds: number[] = []
  for (let round = 0; round < count; round++) {
    const key = await persist(() => visitor.upload(bytes))
    all.disk.fill(4096)
    sums.refused += await visitor.upload(bytes).then(
      () => 0,
      (error: { code?: string }) => Number(error.code === 'StorageFull'),
    )
    const failed = await compressed(visitor, key)
    if (failed.error) failures.push(failed.error as WireError) // the server built it from the registry
    sums.full += Number(failed.state === 'failed' && failed.error?.code === 'storage.full')
    sums.offered += failed.outputs.length
    all.disk.empty()
    const begunAt = performance.now()
    const again = await compressed(visitor, key)
    sums.done += Number(again.state === 'done')
    seconds.push((performance.now() - begunAt) / 1000)
    for (const { id } of [failed, again]) await visitor.fetch(`/api/jobs/${id}`, { method: 'DELETE' })
  }
  print('full disk of files', { rounds: count, ...sums, 'seconds to the next result': spread(seconds), told: inWords(failures) })
  expect(sums).toEqual({ refused: count, full: count, done: count, offered: 0 })
})

it('the disk jobs are worked on fills up, and is emptied again', { timeout: HOUR_MS }, async ({ skip }) => {
  const count = rounds(20)
  await using all = await scene('work', 16)
  if (!all) return skip(NO_MOUNT)
  const visitor = Object.assign(await Visitor.enter(all.url), { pollMs: 600 })
  const key = await visitor.upload(await picture(1400))
  const sums = { full: 0, done: 0 }
  const failures: WireError[] = []
  for (let round = 0; round < count; round++) {
    all.disk.fill(4096)
    const { error } = await compressed(visitor, key)
    if (error) failures.push(error as WireError) // as above
    sums.full += Number(error?.code === 'storage.full')
    all.disk.empty()
    sums.done += Number((await compressed(visitor, key)).state === 'done')
  }
  print('full disk of work', { rounds: count, ...sums, told: inWords(failures) })
  expect(sums).toEqual({ full: count, done: count })
})

/** A call for many jobs, and what repeats it. */
interface Call {
  readonly visitor: Visitor
  readonly headers: Record<string, string>
  readonly body: ReturnType<typeof bodyOf>
}

type Answer = { readonly ids: readonly string[] } | { readonly failure: WireError }

async function send({ visitor, body, headers }: Call): Promise<Answer> {
  const answer = await visitor.send('/api/jobs', body, headers)
  if (!answer.ok) return { failure: (await answer.json()) as WireError } // the envelope of every failure
  // And of every success.
  return { ids: ((await answer.json()) as { data: { jobs: { id: string }[] } }).data.jobs.map(({ id }) => id) }
}

/** Has jobs accepted until the server can take no more; the call that was refused, and why. */
async function submitUntilFull(
  visitor: Visitor,
  key: string,
  accepted: string[],
  fill: () => void,
): Promise<Call & { failure: WireError }> {
  for (let n = 0; ; n++) {
    const call = { visitor, headers: { 'idempotency-key': `full-disk-call-${n}` }, body: bodyOf(key, MAX_INPUTS) }
    const answer = await send(call)
    if ('failure' in answer) return { ...call, ...answer }
    accepted.push(...answer.ids)
    if (n === 0) fill()
  }
}

/** Sends a call again, as seldom as a person's limits ask for, until it is accepted. */
async function acceptedOf(call: Call): Promise<readonly string[]> {
  for (let tries = 1; ; tries++) {
    const answer = await send(call).catch((failure: unknown) => ({ failure })) // the server may just be starting
    if ('ids' in answer) return answer.ids
    if (tries === 120) throw new Error(`the server does not recover: ${JSON.stringify(answer)}`)
    await wait(1000)
  }
}

/** Of what was accepted: unknown in the end, or with another number of lines in the ledger than one; and lines of nothing that was. */
async function inspect(database: string, accepted: readonly string[]) {
  const connection = await openDatabase({ kind: 'embedded', folder: database, template: installation.databaseTemplate })
  const known = new Set((await connection.db.select({ id: jobs.id }).from(jobs)).map(({ id }) => id))
  const lines = (await connection.db.select({ id: ledger.jobId }).from(ledger)).map(({ id }) => id)
  await connection.close()
  const charged = new Set(lines)
  return {
    lost: accepted.filter((id) => !known.has(id)).length,
    uncharged: accepted.filter((id) => !charged.has(id)).length,
    beyond: lines.length - new Set(accepted).size,
  }
}

it(
  'the disk of the embedded database fills up: the server goes on by itself once there is room',
  { timeout: HOUR_MS },
  async ({ skip }) => {
    const count = rounds(20)
    // So many that the database itself is the first to refuse.
    await using all = await scene('database', 384, { ...anyAddress, QUEUE_LIMIT: '1000000', QUEUE_PER_PERSON: '1000000' })
    if (!all) return skip(NO_MOUNT)
    const tiny = await photo(60, 60).jpeg().toBuffer()
    const accepted: string[] = []
    const failures: WireError[] = []
    const seconds: number[] = []
    const atRestart: number[] = []
    const residentMb = [all.residentMb()]
    let done = 0
    for (const [round, visitor] of (await visitors(all.url, count)).entries()) {
      visitor.pollMs = 600
      const key = await persist(() => visitor.upload(tiny))
      // Nothing at all left, or less than the log takes when it goes on in a new file.
      const refused = await submitUntilFull(visitor, key, accepted, () => all.disk.fill(round % 2 === 0 ? 0 : 6 * MB))
      failures.push(refused.failure)
      await wait(3000)
      all.disk.empty()
      const isKilled = round % 5 === 4
      const begunAt = performance.now()
      if (isKilled) await all.restart()
      const again = await acceptedOf(refused)
      accepted.push(...again)
      const took = (performance.now() - begunAt) / 1000
      if (isKilled) atRestart.push(took)
      else seconds.push(took)
      done += Number((await visitor.ended(again[0] ?? '')).state === 'done')
      residentMb.push(all.residentMb())
      console.log(`${round + 1}. ${refused.failure.code} after ${accepted.length} jobs${isKilled ? ', killed' : ''}: ${took.toFixed(1)} s`)
    }
    expect(await all.end()).toBe(0)
    const sums = { ...(await inspect(join(all.folder, 'database'), accepted)), done }
    print('full disk of the database', {
      rounds: count,
      accepted: accepted.length,
      ...sums,
      'seconds to the next acceptance': spread(seconds),
      'after a kill': spread(atRestart),
      'resident MB': residentMb.join(' '),
      told: inWords(failures),
    })
    expect(sums).toEqual({ lost: 0, uncharged: 0, beyond: 0, done: count })
    for (const { code } of failures) expect(['service.unavailable', 'storage.full']).toContain(code)
  },
)
