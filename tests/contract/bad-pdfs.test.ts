import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { badPdfs, pdfTools, type BadPdf, type PdfTool } from '../fixtures/bad-pdfs.ts'
import { openRig, type Rig } from '../fixtures/bad-inputs/rig.ts'
import { drawn, pdfOf } from '../fixtures/pdfs.ts'
import { cloudLimits } from '#engine/limits'
import { messageOf } from '#shared/errors/app-error'

/** Files that may never end by themselves have so long, in milliseconds. */
const SHORT_DEADLINE_MS = 6_000
/** A child is weighed ten times a second and may grow a little between. */
const MEMORY_BYTES = cloudLimits.maxResidentBytes * 1.2

const good = pdfOf([{ content: drawn('Hello', 50, 700) }])
let patient: Rig
let impatient: Rig

beforeAll(async () => {
  patient = await openRig()
  impatient = await openRig(SHORT_DEADLINE_MS)
})
afterAll(async () => {
  await impatient.close()
  await patient.close()
})

async function check(rig: Rig, tool: PdfTool, { bytes, expected, absent = [] }: BadPdf): Promise<void> {
  const { code, outputs, leftovers, error } = await rig.run(tool, {}, 'a.pdf', bytes)
  expect(expected.map((one) => `${tool}: ${one}`)).toContain(`${tool}: ${code}`)
  if (error) expect(messageOf(error)).toMatch(/[一-鿿].*。$/)
  // What was killed has no time to tidy: its workspace goes with all that is in it.
  if (code !== 'job.timed-out' && code !== 'job.out-of-memory') expect(leftovers).toEqual([])
  for (const output of outputs) {
    const result = await readFile(output.path)
    for (const words of absent) expect(result.includes(words)).toBe(false)
  }
}

test.each((await badPdfs()).map((input) => [`#${input.number} ${input.title}`, input] as const))('%s', async (_title, input) => {
  const rig = input.isEndless ? impatient : patient
  const tools = input.only ? [input.only] : pdfTools
  await Promise.all(tools.map((tool) => check(rig, tool, input)))
  expect((await rig.run('pdf-to-text', {}, 'good.pdf', good)).code, 'the next file is served').toBe('done')
  expect(await rig.orphans()).toEqual([])
  expect(rig.peakBytes).toBeLessThan(MEMORY_BYTES)
})
