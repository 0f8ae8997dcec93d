import { and, count, desc, eq, gt, isNotNull, sql } from 'drizzle-orm'
import type { z } from 'zod/mini'
import type { Database } from '../database/open.ts'
import { jobs } from '../database/schema.ts'
import { listWorkers } from '../jobs/heartbeat.ts'
import { refOf } from '../jobs/keys.ts'
import { queueFigures } from '../metrics/standing.ts'
import type { jobsReport } from '#shared/api/operators'
import { DAY_MS } from '#shared/china-time'

const LATEST = 100

/** An expired job keeps why it failed. */
const state = sql<string>`case when ${jobs.error} is null then ${jobs.state} else 'failed' end`
const code = sql<string>`${jobs.error} ->> 'code'`

/** How jobs went within a day, and what waits now. */
export async function recentJobs(
  db: Database,
  asked: z.output<typeof jobsReport.body>,
  now: number,
): Promise<z.input<typeof jobsReport.reply>> {
  const isRecent = gt(jobs.createdAt, new Date(now - DAY_MS))
  const isAsked = and(
    isRecent,
    asked.tool === undefined ? undefined : eq(jobs.tool, asked.tool),
    asked.code === undefined ? undefined : eq(code, asked.code),
  )
  const hasFailed = and(isAsked, isNotNull(jobs.error))
  // One after the other: an operator's page is no reason to hold several connections.
  const counts = await db.select({ tool: jobs.tool, state, count: count() }).from(jobs).where(isAsked).groupBy(jobs.tool, state)
  const codes = await db.select({ code, count: count() }).from(jobs).where(hasFailed).groupBy(code).orderBy(desc(count()), code)
  const failures = await db
    .select({ id: jobs.id, tool: jobs.tool, code, createdAt: jobs.createdAt, finishedAt: jobs.finishedAt })
    .from(jobs)
    .where(hasFailed)
    .orderBy(desc(jobs.finishedAt))
    .limit(LATEST)
  return {
    counts,
    codes,
    queue: queueOf(await queueFigures(db, now)),
    workers: (await listWorkers(db)).map(({ host, sizes, startedAt, beatAt, isAlive }) => ({
      host,
      sizes,
      startedAt: startedAt.toISOString(),
      beatAt: beatAt.toISOString(),
      isAlive,
    })),
    failures: failures.map(({ createdAt, finishedAt, ...row }) => ({
      ...row,
      ref: refOf(row.id),
      at: (finishedAt ?? createdAt).toISOString(),
      seconds: finishedAt ? Math.max(0, (finishedAt.getTime() - createdAt.getTime()) / 1000) : 0,
    })),
  }
}

const queueOf = (figures: Awaited<ReturnType<typeof queueFigures>>): z.input<typeof jobsReport.reply>['queue'] =>
  figures
    .filter(({ state: at }) => at === 'queued')
    .map(({ lane, count: queued, oldestSeconds }) => {
      const running = figures.find((one) => one.lane === lane && one.state === 'running')?.count ?? 0
      return { class: lane, queued, running, oldestSeconds }
    })
