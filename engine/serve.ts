import sharp from 'sharp'
import { translate } from './failures.ts'
import { run } from './run.ts'
import type { Order, Report } from './processor.ts'
import { toWire } from '#shared/errors/app-error'
import { parseOptions } from '#shared/tools/index'

/** How often a child says what memory it holds, in milliseconds. */
const RESIDENT_EVERY_MS = 250

/** The way to the parent, whatever kind of process this is. */
export interface Parent {
  readonly tell: (report: Report) => void
  /** Calls for every order that comes. */
  readonly onOrder: (take: (order: Order) => void) => void
}

/**
 * pdf.js leaves failures of a broken file's parts to nobody, which would end the process. What waits for such a part fails or goes on without
 * it, and the deadline ends what does neither; any other failure that nobody waits for is a fault of ours, and ends the process.
 */
function bearBrokenParts(): void {
  process.on('unhandledRejection', (reason) => {
    const name = typeof reason === 'object' && reason !== null && 'name' in reason ? reason.name : undefined
    if (name !== 'XRefEntryException') throw reason
  })
}

/** Does what the parent orders until the process ends; the whole of a child process. */
export function serve({ tell, onOrder }: Parent): void {
  // The whole of a machine is used by running as many children as it has cores; a thread pool inside each would fight over them.
  sharp.concurrency(1)
  sharp.cache(false)
  bearBrokenParts()
  onOrder((order) => void execute(order, tell))
  setInterval(() => tell({ kind: 'resident', bytes: process.memoryUsage.rss() }), RESIDENT_EVERY_MS).unref()
  tell({ kind: 'ready' })
}

async function execute({ job, deadlineMs, ...place }: Order, tell: Parent['tell']): Promise<void> {
  const endsAt = performance.now() + deadlineMs
  try {
    const checked = { ...job, options: parseOptions(job.tool, job.options) }
    const outputs = await run(checked, {
      ...place,
      msLeft: () => endsAt - performance.now(),
      progress: (fraction, step) => tell({ kind: 'progress', fraction, ...(step !== undefined && { step }) }),
    })
    tell({ kind: 'done', outputs })
  } catch (thrown) {
    const failure = translate(thrown)
    const { cause } = failure
    tell({ kind: 'failed', error: toWire(failure), cause: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause ?? '') })
  }
}
