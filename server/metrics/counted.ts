import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

const MB = 1024 ** 2

type Counted<L extends string> = readonly [name: string, help: string, labelNames: readonly L[]]

/** A counter in a registry. */
const counter = <L extends string = never>(registry: Registry, ...[name, help, labelNames]: Counted<L>): Counter<L> =>
  new Counter({ name, help, labelNames, registers: [registry] })

/** What happens to requests and callers. */
export const requestFigures = (registry: Registry) => ({
  requestSeconds: new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer a request',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers: [registry],
  }),
  requestsRefused: counter(registry, 'qingtu_request_failures_total', 'Requests answered with a failure, by its code', ['code']),
  rateLimited: counter(registry, 'qingtu_rate_limited_total', 'Requests refused because there were too many', ['route']),
  /** Many at once, from however many addresses: somebody tries numbers. */
  loginsRefused: counter(
    registry,
    'qingtu_logins_refused_total',
    'Tries to sign in by an account id or order number nobody has, or as an operator',
    ['by'],
  ),
  streamsOpen: new Gauge({ name: 'qingtu_event_streams_open', help: 'Browsers that listen for news', registers: [registry] }),
  credentialsIssued: counter(registry, 'qingtu_upload_credentials_total', 'Credentials for uploads given out', []),
  uploads: counter(registry, 'qingtu_uploads_total', 'Uploads, and parts of them, let into the local storage', []),
  uploadBytes: counter(registry, 'qingtu_upload_bytes_total', 'Bytes of these', []),
})

/** Why a job's process was ended, or ended by itself. */
export type ChildLoss = 'deadline' | 'memory' | 'crash' | 'kill'

/** What happens to jobs. */
export const jobFigures = (registry: Registry) => ({
  jobSeconds: new Histogram({
    name: 'qingtu_job_duration_seconds',
    help: 'Time a job ran, waiting excluded',
    labelNames: ['tool'] as const,
    buckets: [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300],
    registers: [registry],
  }),
  jobPeakBytes: new Histogram({
    name: 'qingtu_job_peak_resident_bytes',
    help: 'The most memory the process of a job was seen to hold',
    labelNames: ['tool'] as const,
    buckets: [100, 200, 400, 600, 900, 1200, 1600, 2400, 3200].map((size) => size * MB),
    registers: [registry],
  }),
  jobsEnded: counter(registry, 'qingtu_jobs_ended_total', 'Jobs that ended here', ['tool', 'state']),
  jobFailures: counter(registry, 'qingtu_job_failures_total', 'Jobs that failed here, by the code of the failure', ['tool', 'code']),
  childrenLost: counter(
    registry,
    'qingtu_children_lost_total',
    'Processes of jobs that ended before their job: by deadline, memory, a crash, or killed from outside',
    ['reason'],
  ),
})

/** What happens to money. */
export const moneyFigures = (registry: Registry) => ({
  ordersCreated: counter(registry, 'qingtu_orders_created_total', 'Orders made', ['method']),
  payments: counter(registry, 'qingtu_payments_total', 'Payments heard of that count, or go back as duplicates', ['method', 'became']),
  noticesRefused: counter(registry, 'qingtu_payment_notices_refused_total', 'Messages of a provider that were not believed', ['method']),
})

/** What is counted as it happens. */
export type Counts = ReturnType<typeof requestFigures> & ReturnType<typeof jobFigures> & ReturnType<typeof moneyFigures>

/** Labels whose values are known start at 0: an alert on a rate must see the first one. */
export function startAtZero({ loginsRefused, childrenLost, ordersCreated, payments, noticesRefused }: Counts): void {
  for (const by of ['account', 'order', 'operator'] as const) loginsRefused.inc({ by }, 0)
  for (const reason of ['deadline', 'memory', 'crash', 'kill'] as const) childrenLost.inc({ reason }, 0)
  for (const method of ['alipay', 'wechat'] as const) {
    ordersCreated.inc({ method }, 0)
    noticesRefused.inc({ method }, 0)
    for (const became of ['credited', 'duplicate'] as const) payments.inc({ method, became }, 0)
  }
}
