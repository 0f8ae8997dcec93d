import { totalmem } from 'node:os'
import { Lane, type Watch } from './lane.ts'
import { launchNode, type Child } from './launch.ts'
import { deadlineMs, type Limits } from './limits.ts'
import type { Job, OutputFile } from './processor.ts'
import { costOf, toolOf } from '#shared/tools/index'

const MB = 1024 ** 2
/** Native libraries keep some memory after every picture; above this a fresh process is cheaper. */
const KEEP_BELOW_BYTES = 600 * MB
/** A warm model that ships with the product is at home in so much; one of an operator's own folder may need three times as much. */
const KEEP_WARM_BELOW_BYTES = { shipped: 900 * MB, own: 2048 * MB }
/** Loading a model again costs a second or two; holding it for nobody costs the machine its memory. */
const IDLE_MS = 5 * 60_000

/** How a pool is set up. */
export interface PoolSettings {
  /** Child processes for jobs without a model, hence such jobs at a time. */
  readonly size: number
  readonly limits: Limits
  /** Child processes for documents alone; where left out or 0 documents share those of pictures. */
  readonly documentSize?: number
  /** Child processes that hold a model; where left out as many as `size`, but no more than fit into half of the machine's memory. */
  readonly aiSize?: number
  /** How long a model is held without work, in milliseconds. */
  readonly aiIdleMs?: number
  /** Where an operator's models lie, if there are any. */
  readonly modelsFolder?: string
  /** Who runs the service, for the mark in what models make; `轻图` where nobody said. */
  readonly producer?: string
  /** Overrides the deadline of the job's cost class, in milliseconds. */
  readonly deadlineMs?: number
  readonly launch?: () => Child
}

/**
 * Runs jobs in child processes, one at a time each, and kills what overstays its deadline, outgrows its memory or is
 * cancelled. A child's death fails its own job only; the next job gets a new child. Jobs that use a model have children of
 * their own, with a memory limit of their own, in which the model stays warm: they neither wait for pictures nor hold them up. Documents
 * have their own where `documentSize` says so.
 */
export class EnginePool {
  readonly #settings: PoolSettings
  readonly #pictures: Lane
  readonly #documents: Lane
  readonly #models: Lane
  /** Jobs with a model that run at a time. */
  readonly aiSize: number

  constructor(settings: PoolSettings) {
    const { size, limits, launch = launchNode, modelsFolder, aiIdleMs: idleMs = IDLE_MS } = settings
    this.#settings = settings
    this.aiSize = settings.aiSize ?? Math.min(size, fitting(limits.maxAiResidentBytes))
    const usual = { maxResidentBytes: limits.maxResidentBytes, keepBelowBytes: KEEP_BELOW_BYTES, launch }
    this.#pictures = new Lane({ size, ...usual })
    this.#documents = settings.documentSize ? new Lane({ size: settings.documentSize, idleMs, ...usual }) : this.#pictures
    this.#models = new Lane({
      size: this.aiSize,
      maxResidentBytes: limits.maxAiResidentBytes,
      keepBelowBytes: KEEP_WARM_BELOW_BYTES[modelsFolder === undefined ? 'shipped' : 'own'],
      idleMs,
      launch,
    })
  }

  /** Results of a job, written into `folder`. Throws AppError, `job.*` for what the pool itself ended. */
  async run(job: Job, folder: string, watch: Watch = {}): Promise<readonly OutputFile[]> {
    const { limits, modelsFolder, producer } = this.#settings
    const cost = costOf(job.tool, job.options)
    const order = {
      job,
      folder,
      limits,
      deadlineMs: this.#settings.deadlineMs ?? toolOf(job.tool).deadlineMs ?? deadlineMs[cost],
      ...(modelsFolder !== undefined && { modelsFolder }),
      ...(producer !== undefined && { producer }),
    }
    const lanes = { image: this.#pictures, free: this.#pictures, document: this.#documents, ai: this.#models }
    return lanes[cost].run(order, watch)
  }

  /** Cancels everything and ends all children. */
  close(): void {
    this.#pictures.close()
    this.#documents.close()
    this.#models.close()
  }

  [Symbol.dispose](): void {
    this.close()
  }

  /** Process ids of the children now alive, for the metrics. */
  get pids(): readonly number[] {
    return [...new Set([this.#pictures, this.#documents, this.#models].flatMap((lane) => lane.pids))]
  }
}

/** How many processes of so many bytes fit into half of the memory there is; a container's limit counts (0 says that there is none). */
function fitting(bytes: number): number {
  const available = Math.min(totalmem(), process.constrainedMemory() || Infinity)
  return Math.max(1, Math.floor(available / 2 / bytes))
}
