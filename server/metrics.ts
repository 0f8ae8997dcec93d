import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { modelFor } from '#engine/ai/installed'
import type { Subject } from '#shared/tools/define'

/** What the server counts. */
export interface Metrics {
  readonly registry: Registry
  readonly requestSeconds: Histogram<'method' | 'route' | 'status'>
  readonly jobSeconds: Histogram<'tool'>
  readonly jobPeakBytes: Histogram<'tool'>
  readonly jobsEnded: Counter<'tool' | 'state'>
  readonly jobs: Gauge<'state'>
  /** Which model cuts out what: one that is added to the folder, or damaged there, shows here. */
  readonly models: Gauge<'subject' | 'model' | 'tier'>
  /** Many at once, from however many addresses: somebody tries numbers. */
  readonly loginsRefused: Counter<'by'>
}

const MB = 1024 ** 2
const subjects: readonly Subject[] = ['person', 'goods', 'general']

/** A registry of its own for each server, so that tests may start several. */
export function openMetrics(countJobs: () => Promise<ReadonlyMap<string, number>>, modelsFolder: string | undefined): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  return {
    registry,
    requestSeconds: new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time to answer a request',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
      registers,
    }),
    jobSeconds: new Histogram({
      name: 'qingtu_job_duration_seconds',
      help: 'Time a job ran, waiting excluded',
      labelNames: ['tool'],
      buckets: [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300],
      registers,
    }),
    jobPeakBytes: new Histogram({
      name: 'qingtu_job_peak_resident_bytes',
      help: 'The most memory the process of a job was seen to hold',
      labelNames: ['tool'],
      buckets: [100, 200, 400, 600, 900, 1200, 1600, 2400, 3200].map((size) => size * MB),
      registers,
    }),
    jobsEnded: new Counter({ name: 'qingtu_jobs_ended_total', help: 'Jobs that ended here', labelNames: ['tool', 'state'], registers }),
    loginsRefused: new Counter({
      name: 'qingtu_logins_refused_total',
      help: 'Tries to sign in by an account id or order number nobody has',
      labelNames: ['by'],
      registers,
    }),
    models: modelsGauge(registers, modelsFolder),
    jobs: new Gauge({
      name: 'qingtu_jobs',
      help: 'Jobs waiting and running',
      labelNames: ['state'],
      registers,
      async collect() {
        this.reset()
        // The database may be away, and then the other figures are wanted most.
        const counts = await countJobs().catch(() => undefined)
        if (counts) for (const state of ['queued', 'running']) this.set({ state }, counts.get(state) ?? 0)
      },
    }),
  }
}

const modelsGauge = (registers: Registry[], modelsFolder: string | undefined): Metrics['models'] =>
  new Gauge({
    name: 'qingtu_model',
    help: 'The model in use for a subject',
    labelNames: ['subject', 'model', 'tier'],
    registers,
    async collect() {
      this.reset()
      for (const subject of subjects) {
        const found = await modelFor(subject, modelsFolder).catch(() => undefined)
        if (found) this.set({ subject, model: found.model.id, tier: found.model.tier }, 1)
      }
    },
  })
