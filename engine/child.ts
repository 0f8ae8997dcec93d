import sharp from 'sharp'
import { translate } from './failures.ts'
import { run } from './run.ts'
import type { Order, Report } from './processor.ts'
import { toWire } from '#shared/errors/app-error'
import { parseOptions } from '#shared/tools/index'

/** How often a child says what memory it holds, in milliseconds. */
const RESIDENT_EVERY_MS = 250

// The whole of a machine is used by running as many children as it has cores; a thread pool inside each would fight over them.
sharp.concurrency(1)
sharp.cache(false)

const report = (message: Report): void => {
  process.send?.(message)
}

async function execute({ job, deadlineMs, ...place }: Order): Promise<void> {
  const endsAt = performance.now() + deadlineMs
  try {
    const checked = { ...job, options: parseOptions(job.tool, job.options) }
    const outputs = await run(checked, {
      ...place,
      msLeft: () => endsAt - performance.now(),
      progress: (fraction, step) => report({ kind: 'progress', fraction, ...(step !== undefined && { step }) }),
    })
    report({ kind: 'done', outputs })
  } catch (thrown) {
    const failure = translate(thrown)
    const { cause } = failure
    report({ kind: 'failed', error: toWire(failure), cause: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause ?? '') })
  }
}

process.on('message', (order: Order) => void execute(order))
// Ctrl-C reaches the whole process group; what becomes of a job is the parent's decision.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
// The parent died: nobody will take the result.
process.on('disconnect', () => process.exit())
setInterval(() => report({ kind: 'resident', bytes: process.memoryUsage.rss() }), RESIDENT_EVERY_MS).unref()
report({ kind: 'ready' })
