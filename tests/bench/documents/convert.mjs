import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { InferenceSession } from 'onnxruntime-node'
import { localLimits } from '#engine/limits'
import { run } from '#engine/run'
import { parseOptions } from '#shared/tools/index'

/*
 * Converts PDFs by one tool in this process and tells, a JSON object a line, what came of each: `ms` is the processor's time, `wall` the clock's, both in
 * milliseconds; `reads` says that networks were asked what letters are, as in files that don't tell it. Called with a tool's id, a folder, and a JSON file of jobs and of those that come before: what is loaded and compiled with these counts
 * to nobody.
 */

const [, , tool = '', folder = '', list = ''] = process.argv
/** @type {Record<'before' | 'jobs', { id: string, pdf: string }[]>} */
const { before, jobs } = JSON.parse(readFileSync(list, 'utf8'))

let asked = 0
/** The class it is, which its types don't say. */
const { prototype } = /** @type {{ prototype: { run: (...words: unknown[]) => unknown } }} */ (/** @type {unknown} */ (InferenceSession))
const ask = prototype.run
prototype.run = function count(...words) {
  asked++
  return ask.apply(this, words)
}

for (const [at, { id, pdf }] of [...before, ...jobs].entries()) {
  const isBefore = at < before.length
  const tell = (/** @type {object} */ facts) => isBefore || console.log(JSON.stringify({ id, ...facts }))
  const out = join(folder, isBefore ? 'before' : '', id)
  mkdirSync(out, { recursive: true })
  asked = 0
  const [began, startedAt] = [process.cpuUsage(), performance.now()]
  try {
    const toolId = /** @type {import('#shared/tools/index').ToolId} */ (tool) // a tool of documents.mjs
    const options = parseOptions(toolId, {})
    const [output] = await run(
      { tool: toolId, options, inputs: [{ path: pdf, name: `${id}.pdf` }] },
      { folder: out, limits: localLimits, msLeft: () => 600_000, progress: () => {} },
    )
    const { user, system } = process.cpuUsage(began)
    const [ms, wall] = [Math.round((user + system) / 1000), Math.round(performance.now() - startedAt)]
    const rssMb = Math.round(process.resourceUsage().maxRSS / 1024)
    tell({ out: output?.path, ms, wall, rssMb, reads: asked > 0, share: statSync(output?.path ?? '').size / statSync(pdf).size })
  } catch (thrown) {
    tell({ error: thrown instanceof Error && 'code' in thrown ? String(thrown.code) : String(thrown) })
  }
}
