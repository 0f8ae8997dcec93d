import { existsSync } from 'node:fs'
import { isSamePath } from '../files/path-rules.ts'
import type { LocalInput, LocalPart } from './job.ts'
import type { JobQueue } from './queue.ts'
import { STROKES_ALONE } from '#shared/tools/finding'

/** What an earlier job found; without a file where there was nothing to find. */
export interface Earlier {
  readonly part: LocalPart | undefined
}

/** What the newest of the earlier jobs found in these very bytes; undefined where none did. */
export function earlierFinding(queue: JobQueue, finding: string, source: LocalInput): Earlier | undefined {
  if (source.tag === undefined) return undefined
  for (const { state, inputs, parts } of queue.all().toReversed()) {
    const [file] = inputs
    if (state !== 'done' || file.tag !== source.tag || !isSamePath(file.path, source.path)) continue
    if (!parts.some((one) => one.finding === finding)) continue
    const part = parts.find((one) => one.part === 'matte' || one.part === 'chroma')
    if (part ? existsSync(part.path) : finding === STROKES_ALONE) return { part }
  }
  return undefined
}
