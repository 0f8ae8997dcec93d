import { join } from 'node:path'
import { expect, it } from 'vitest'
import { testFolder, toSize } from '../fixtures/engine.ts'
import { photo } from '../fixtures/pictures.ts'
import { persist, print, rounds, spread } from '../fixtures/rounds.ts'
import { serverProcess } from '../fixtures/server-process.ts'
import { codeOf, installation, Visitor } from '../fixtures/server.ts'
import { smallDisk } from '../fixtures/small-disk.ts'
import { openDatabase } from '#server/database/open'
import { jobs } from '#server/database/schema'
import { ledger } from '#server/database/schema-billing'
import { MAX_INPUTS } from '#shared/api/jobs'

const HOUR_MS = 3_600_000
const MB = 1024 ** 2
const NO_MOUNT = 'skipped: this process may not mount a disk (it takes root)'
const picture = (): Promise<Buffer> => photo(1600, 1200).jpeg({ quality: 95 }).toBuffer()
const bodyOf = (key: string) => ({ tool: 'compress-image', options: toSize(100), inputs: [{ key, name: 'a.jpg' }] })

it('the disk of the files fills up, and is emptied again', { timeout: HOUR_MS }, async ({ skip }) => {
  const count = rounds(20)
  await using folder = await testFolder()
  using disk = smallDisk(join(folder.path, 'objects'), 64)
  if (!disk) return skip(NO_MOUNT)
  await using server = await serverProcess(folder.path)
  const visitor = await Visitor.enter(server.url)
  visitor.pollMs = 600
  const bytes = await picture()
  const sums = { refused: 0, full: 0, done: 0, offered: 0 }
  const seconds: number[] = []
  for (let round = 0; round < count; round++) {
    const key = await persist(() => visitor.upload(bytes))
    disk.fill(4096)
    sums.refused += await visitor.upload(bytes).then(
      () => 0,
      (error: { code?: string }) => Number(error.code === 'StorageFull'),
    )
    const first = await persist(() => visitor.post<{ jobs: { id: string }[] }>('/api/jobs', bodyOf(key)))
    const failed = await visitor.ended(first.jobs[0]?.id ?? '')
    sums.full += Number(failed.state === 'failed' && failed.error?.code === 'storage.full')
    sums.offered += failed.outputs.length
    disk.empty()
    const begunAt = performance.now()
    const again = await persist(() => visitor.post<{ jobs: { id: string }[] }>('/api/jobs', bodyOf(key)))
    sums.done += Number((await visitor.ended(again.jobs[0]?.id ?? '')).state === 'done')
    seconds.push((performance.now() - begunAt) / 1000)
    for (const { id } of [...first.jobs, ...again.jobs]) await visitor.fetch(`/api/jobs/${id}`, { method: 'DELETE' })
  }
  print('full disk of files', { rounds: count, ...sums, 'seconds to the next result': spread(seconds) })
  expect(sums).toEqual({ refused: count, full: count, done: count, offered: 0 })
})

it('the disk jobs are worked on fills up, and is emptied again', { timeout: HOUR_MS }, async ({ skip }) => {
  const count = rounds(20)
  await using folder = await testFolder()
  using disk = smallDisk(join(folder.path, 'work'), 16)
  if (!disk) return skip(NO_MOUNT)
  await using server = await serverProcess(folder.path)
  const visitor = await Visitor.enter(server.url)
  visitor.pollMs = 600
  const key = await visitor.upload(await picture())
  const run = async () => {
    const call = await persist(() => visitor.post<{ jobs: { id: string }[] }>('/api/jobs', bodyOf(key)))
    return visitor.ended(call.jobs[0]?.id ?? '')
  }
  const sums = { full: 0, done: 0 }
  for (let round = 0; round < count; round++) {
    disk.fill(4096)
    sums.full += Number((await run()).error?.code === 'storage.full')
    disk.empty()
    sums.done += Number((await run()).state === 'done')
  }
  print('full disk of work', { rounds: count, ...sums })
  expect(sums).toEqual({ full: count, done: count })
})

/** Jobs by the hundred while the disk fills up, until the server can take no more; what it has accepted, and whether it said that it was away (it may say first that too many wait). */
async function submitUntilFull(url: string, fill: () => void): Promise<{ accepted: readonly string[]; isTold: boolean }> {
  const visitor = await Visitor.enter(url)
  const key = await visitor.upload(await photo(60, 60).jpeg().toBuffer())
  const accepted: string[] = []
  fill()
  for (;;) {
    const inputs = Array.from({ length: MAX_INPUTS }, () => ({ key, name: `${'名'.repeat(60)}.jpg` }))
    const answer = await visitor.send('/api/jobs', { ...bodyOf(key), inputs })
    if (!answer.ok) return { accepted, isTold: (await codeOf(answer)).join(' ') === '503 service.unavailable' }
    // The envelope of every success.
    accepted.push(...((await answer.json()) as { data: { jobs: { id: string }[] } }).data.jobs.map(({ id }) => id))
  }
}

it('the disk of the embedded database fills up, and the server is started again', { timeout: HOUR_MS }, async ({ skip }) => {
  const count = rounds(5)
  await using folder = await testFolder()
  const database = join(folder.path, 'database')
  using disk = smallDisk(database, 512)
  if (!disk) return skip(NO_MOUNT)
  const sums = { accepted: 0, lost: 0, uncharged: 0, told: 0 }
  const seconds: number[] = []
  for (let round = 0; round < count; round++) {
    const server = await serverProcess(folder.path)
    const { accepted, isTold } = await submitUntilFull(server.url, () => disk.fill(4 * MB))
    await server.end('SIGKILL')
    disk.empty()
    const begunAt = performance.now()
    const connection = await openDatabase({ kind: 'embedded', folder: database, template: installation.databaseTemplate })
    seconds.push((performance.now() - begunAt) / 1000)
    const known = new Set((await connection.db.select({ id: jobs.id }).from(jobs)).map(({ id }) => id))
    const charged = new Set((await connection.db.select({ id: ledger.jobId }).from(ledger)).map(({ id }) => id))
    await connection.db.delete(jobs)
    await connection.close()
    sums.accepted += accepted.length
    sums.lost += accepted.filter((id) => !known.has(id)).length
    sums.uncharged += accepted.filter((id) => !charged.has(id)).length
    sums.told += Number(isTold)
  }
  print('full disk of the database', { rounds: count, ...sums, 'seconds to open again': spread(seconds) })
  expect(sums).toMatchObject({ lost: 0, uncharged: 0 })
  expect(sums.accepted).toBeGreaterThan(0)
})
