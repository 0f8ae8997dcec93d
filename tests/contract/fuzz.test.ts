import { expect, test } from 'vitest'
import { openRig } from '../fixtures/bad-inputs/rig.ts'
import { fuzz, fuzzSamples } from '../fixtures/fuzz.ts'

test('36 damaged files end in a result or in a sentence', async () => {
  const results = await fuzz({ seed: 7, variants: 36, deadlineMs: 30_000 })
  expect(results).toHaveLength(36)
  expect(results.filter(({ faults }) => faults.length > 0)).toEqual([])
  expect(new Set(results.map(({ code }) => code)).has('done')).toBe(true)
  expect(new Set(results.map(({ code }) => code)).has('file.unreadable')).toBe(true)
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
