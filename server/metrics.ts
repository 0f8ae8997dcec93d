import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Config } from './config.ts'
import type { DatabaseConnection } from './database/open.ts'
import { jobFigures, moneyFigures, requestFigures, startAtZero, type Counts } from './metrics/counted.ts'
import { addDatabaseFigures, addDiskFigures } from './metrics/measured.ts'
import { version } from './version.ts'
import { modelFor } from '#engine/ai/installed'
import type { Subject } from '#shared/tools/define'

/** What a process counts, and where it is read. */
export type Metrics = Counts & { readonly registry: Registry }

const subjects: readonly Subject[] = ['person', 'goods', 'general']

/** A registry of its own for each process, so that tests may start several: what every one of them tells of itself. */
export function openOwnMetrics({ dataFolder, role }: Pick<Config, 'dataFolder' | 'role'>): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const counts = { ...requestFigures(registry), ...jobFigures(registry), ...moneyFigures(registry) }
  startAtZero(counts)
  addDiskFigures(registry, dataFolder)
  const build = { name: 'qingtu_build_info', help: 'The program that runs', labelNames: ['version', 'node', 'role'], registers: [registry] }
  new Gauge(build).set({ version, node: process.versions.node, role }, 1)
  return { registry, ...counts }
}

/** The same with what the tables tell, and which models there are. */
export function openMetrics(config: Config, connection: DatabaseConnection, now: () => number): Metrics {
  const metrics = openOwnMetrics(config)
  addModelFigures(metrics.registry, config.modelsFolder)
  addDatabaseFigures(metrics.registry, connection, now)
  return metrics
}

/** Which model cuts out what: one that is added to the folder, or damaged there, shows here. */
function addModelFigures(registry: Registry, modelsFolder: string | undefined): void {
  const models = new Gauge({
    name: 'qingtu_model',
    help: 'The model in use for a subject',
    labelNames: ['subject', 'model', 'tier'],
    registers: [],
    async collect() {
      this.reset()
      for (const subject of subjects) {
        const found = await modelFor(subject, modelsFolder).catch(() => undefined)
        if (found) this.set({ subject, model: found.model.id, tier: found.model.tier }, 1)
      }
    },
  })
  registry.registerMetric(models)
}
