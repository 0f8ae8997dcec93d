import { beforeAll, expect, it } from 'vitest'
import type { z } from 'zod/mini'
import { toSize } from '../fixtures/engine.ts'
import { Desk, newOperator } from '../fixtures/operators.ts'
import { until } from '../fixtures/payments.ts'
import { photo } from '../fixtures/pictures.ts'
import { codeOf, Visitor } from '../fixtures/server.ts'
import { sharedServer } from '../fixtures/shared-server.ts'
import { auditLog } from '#server/database/schema-operators'
import type { jobsReport } from '#shared/api/operators'

type Report = z.infer<typeof jobsReport.reply>

const shared = sharedServer()
let desk: Desk
let failedId = ''

beforeAll(async () => {
  const visitor = await Visitor.enter(shared().url)
  const good = await photo(300, 200).jpeg({ quality: 90 }).toBuffer()
  const files = [
    { name: '身份证.jpg', bytes: good },
    { name: '病历.jpg', bytes: good.subarray(0, 700) },
  ]
  const ids = await visitor.start(files, toSize(10))
  const ended = await Promise.all(ids.map((id) => visitor.ended(id)))
  failedId = ended.find(({ state }) => state === 'failed')?.id ?? ''
  desk = await Desk.open(shared(), await newOperator(shared()))
})

it('operators see how jobs went, who works on them, and the log reference of what failed', async () => {
  await until(async () => (await desk.post<Report>('/api/operator/jobs')).workers.length === 1)
  const report = await desk.post<Report>('/api/operator/jobs')
  expect(report.counts).toEqual(
    expect.arrayContaining([
      { tool: 'compress-image', state: 'done', count: 1 },
      { tool: 'compress-image', state: 'failed', count: 1 },
    ]),
  )
  const [failure] = report.failures
  expect(failure).toMatchObject({ id: failedId, ref: failedId.slice(0, 8), tool: 'compress-image', code: expect.stringMatching(/^file\./) })
  expect(report.codes).toEqual([{ code: failure?.code, count: 1 }])
  expect(report.queue.map((one) => one.class).toSorted()).toEqual(['ai', 'document', 'usual'])
  expect(report.workers).toMatchObject([{ isAlive: true, sizes: { usual: 2 } }])
})

it('they see neither names of files nor whose jobs they are, also where they look for one tool or code', async () => {
  const all = JSON.stringify(await desk.post('/api/operator/jobs'))
  for (const secret of ['身份证', '病历', 'u/', 'r/', 'identity']) expect(all).not.toContain(secret)
  const nothing = await desk.post<Report>('/api/operator/jobs', { tool: 'set-dpi' })
  expect([nothing.counts, nothing.failures]).toEqual([[], []])
  const one = await desk.post<Report>('/api/operator/jobs', { code: 'no.such' })
  expect([one.codes, one.failures]).toEqual([[], []])
})

it('every look is noted, and only operators look', async () => {
  await desk.post('/api/operator/jobs', { tool: 'cut-out', code: 'internal' })
  const notes = await shared().connection.db.select().from(auditLog).orderBy(auditLog.id)
  expect(notes.at(-1)).toMatchObject({ operator: 'op', action: 'jobs', detail: { tool: 'cut-out', code: 'internal' } })
  const visitor = await Visitor.enter(shared().url)
  expect(await codeOf(await visitor.send('/api/operator/jobs', {}))).toEqual([401, 'operator.required'])
})
