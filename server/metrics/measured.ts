import { Gauge, type Registry } from 'prom-client'
import { moneyStanding, queueFigures } from './standing.ts'
import type { DatabaseConnection } from '../database/open.ts'
import { inTime } from '../in-time.ts'
import { listWorkers } from '../jobs/heartbeat.ts'
import { LANES } from '../jobs/turns.ts'
import { measureSpace } from '../storage/local/disk.ts'
import type { Isolation } from '#engine/isolation'
import { residentBytes } from '#engine/launch'

/** The figures wait no longer for the database: it may be away, and then the others are wanted most. */
const PATIENCE_MS = 3_000

/** Makes gauges that are set together: whichever is asked for first has all of them read, once. */
function gaugesOf(registry: Registry, read: () => Promise<void>) {
  let reading: Promise<void> | undefined
  const collect = (): Promise<void> => (reading ??= read().finally(() => (reading = undefined)))
  return <L extends string = never>(name: string, help: string, labelNames: readonly L[] = []): Gauge<L> =>
    new Gauge({ name, help, labelNames, registers: [registry], collect })
}

/** What the tables say at the moment. All servers of an installation say the same, so that sums over servers mean nothing: take the greatest. */
export function addDatabaseFigures(registry: Registry, { db, connections }: DatabaseConnection, now: () => number): void {
  const gauge = gaugesOf(registry, () =>
    inTime(read(), PATIENCE_MS).then(
      () => up.set(1),
      () => up.set(0),
    ),
  )
  const up = gauge('qingtu_database_up', 'Whether the database answers')
  const queue = gauge('qingtu_jobs', 'Jobs waiting and running, by class', ['class', 'state'])
  const oldest = gauge('qingtu_oldest_job_seconds', 'Age of the oldest job that waits, or runs, of a class', ['class', 'state'])
  const workers = gauge('qingtu_workers_alive', 'Processes alive that take jobs of a class', ['class'])
  const unsettled = gauge('qingtu_orders_unsettled', 'Orders whose code ran out 10 minutes ago, neither paid nor closed')
  const refunds = gauge('qingtu_refunds_pending', 'Refunds the provider has not said yes to')
  const oldestRefund = gauge('qingtu_oldest_refund_seconds', 'Age of the oldest of these')
  const conversions = gauge('qingtu_conversions', 'What advertisers are told of: wanted, sent, given up', ['state'])
  const differences = gauge('qingtu_reconciliation_differences', 'Differences between bills and orders found within 7 days')
  const pool = gauge('qingtu_database_connections', 'Connections to the database, and callers that wait for one', ['state'])
  const read = async (): Promise<void> => {
    for (const [state, count] of Object.entries(connections())) pool.set({ state }, count)
    const [figures, money, known] = await Promise.all([queueFigures(db, now()), moneyStanding(db, now()), listWorkers(db)])
    for (const lane of LANES) workers.set({ class: lane }, known.filter(({ isAlive, sizes }) => isAlive && sizes[lane] > 0).length)
    for (const { lane, state, count, oldestSeconds } of figures) {
      queue.set({ class: lane, state }, count)
      oldest.set({ class: lane, state }, oldestSeconds)
    }
    unsettled.set(money.unsettled)
    refunds.set(money.refunds)
    oldestRefund.set(money.oldestRefundSeconds)
    for (const state of ['wanted', 'sent', 'given-up']) conversions.set({ state }, money.conversions.get(state) ?? 0)
    differences.set(money.differences)
  }
}

/** The children of this server's pool, and how far they are kept from the machine. */
export function addChildFigures(registry: Registry, isolation: Isolation, pids: () => readonly number[]): void {
  const help = 'How far processes of jobs are kept from the machine: namespaces, limits or none'
  new Gauge({ name: 'qingtu_child_isolation', help, labelNames: ['level'], registers: [registry] }).set({ level: isolation }, 1)
  const gauge = gaugesOf(registry, async () => {
    const alive = pids()
    children.set(alive.length)
    memory.set(alive.reduce((sum, pid) => sum + (residentBytes(pid) ?? 0), 0))
  })
  const children = gauge('qingtu_children', 'Processes of jobs alive')
  const memory = gauge('qingtu_child_resident_bytes', 'Memory that processes of jobs hold together')
}

/** The disk on which a folder lies. */
export function addDiskFigures(registry: Registry, folder: string): void {
  const gauge = gaugesOf(registry, async () => {
    const { freeBytes, totalBytes } = await measureSpace(folder)
    free.set(freeBytes)
    size.set(totalBytes)
  })
  const free = gauge('qingtu_storage_free_bytes', 'What is free of the disk that DATA_DIR lies on')
  const size = gauge('qingtu_storage_size_bytes', 'Size of the disk that DATA_DIR lies on')
}
