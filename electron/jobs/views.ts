import type { LocalJob, LocalOutput } from './job.ts'
import type { JobView } from '#shared/api/jobs'
import { resultUrl } from '#shared/local-results'

const outputOf = ({ path: _path, ...facts }: LocalOutput, url: string): JobView['outputs'][number] => ({ ...facts, url })

/** The addresses of what an editor works on, where a job left all of it. */
function partsOf({ id, parts }: LocalJob): JobView['parts'] {
  const addresses = Object.fromEntries(parts.map(({ part }) => [part, `/local/parts/${id}/${part}`] as const))
  const { source, matte, foreground } = addresses
  return source !== undefined && (matte === undefined) === (foreground === undefined) ? { ...addresses, source } : undefined
}

/** A job as the page sees it: in the server's words, and without a path. Results stay, so no time is said at which they go. */
export function viewOf(job: LocalJob, ahead: number | undefined): JobView {
  const { id, change, tool, state, progress, step, inputs, outputs, note, error, createdAt } = job
  const parts = state === 'done' ? partsOf(job) : undefined
  return {
    id,
    change,
    tool,
    state,
    ahead: state === 'queued' ? (ahead ?? 0) : 0,
    progress,
    ...(step !== undefined && { step }),
    inputs: inputs.map(({ key, name, folder, bytes }) => ({ key, name, ...(folder !== undefined && { path: folder }), bytes })),
    outputs: outputs.map((output, n) => outputOf(output, resultUrl(id, n))),
    ...(parts && { parts }),
    ...(note && { note }),
    ...(error && { error }),
    createdAt: new Date(createdAt).toISOString(),
  }
}
