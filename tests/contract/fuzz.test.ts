import { expect, test } from 'vitest'
import { openRig } from '../fixtures/bad-inputs/rig.ts'
import { fuzzApi } from '../fixtures/fuzz/api.ts'
import { fuzzFiles, fuzzSamples } from '../fixtures/fuzz/files.ts'
import { sharedServer } from '../fixtures/shared-server.ts'

const server = sharedServer()

test('64 damaged files end in a result or in a sentence', async () => {
  const results = await fuzzFiles({ seed: 7, variants: 64, deadlineMs: 30_000 })
  expect(results).toHaveLength(64)
  expect(results.filter(({ faults }) => faults.length > 0)).toEqual([])
  expect(new Set(results.map(({ code }) => code)).has('done')).toBe(true)
  expect(new Set(results.map(({ code }) => code)).has('file.unreadable')).toBe(true)
})

// The soak found it: pdf.js left the failure to nobody, and the process ended by that.
test('a PDF whose table of objects is wrong costs no process', async () => {
  const results = await fuzzFiles({ seed: 1, first: 1818, variants: 1819, deadlineMs: 30_000 })
  expect(results).toMatchObject([{ format: 'pdf', faults: [] }])
})

test('400 malformed requests are refused or answered, and the server lives', async () => {
  const results = await fuzzApi(server().url, { seed: 7, requests: 400 })
  expect(results).toHaveLength(400)
  expect(results.filter(({ fault }) => fault !== undefined)).toEqual([])
  expect(new Set(results.map(({ code }) => code)).has('request.invalid')).toBe(true)
  await expect.poll(async () => (await fetch(`${server().url}/readyz`)).status, { timeout: 20_000 }).toBe(200)
})

test('a file of any format that was cut is never taken for a whole one', async () => {
  const rig = await openRig()
  const wrong: string[] = []
  for (const { format, name, bytes } of await fuzzSamples()) {
    const whole = await rig.run('convert-image', { format: 'png', pages: 'first' }, name, bytes)
    if (whole.code !== 'done') wrong.push(`${format} whole: ${whole.code}`)
    const cuts = [0.6, 0.9].map((share) => bytes.subarray(0, Math.floor(bytes.length * share)))
    const answers = await Promise.all(cuts.map((cut) => rig.run('convert-image', { format: 'png', pages: 'first' }, name, cut)))
    for (const { code } of answers) if (code !== 'file.unreadable') wrong.push(`${format} cut: ${code}`)
  }
  await rig.close()
  expect(wrong).toEqual([])
})
