import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { tinyColourModel, tinyModel } from '../fixtures/tiny-model.ts'
import { acceptModel, Refused } from '#engine/ai/accept'
import { colourModels, type ColourModel } from '#engine/ai/colour-models'
import { askForColours, inputSize, predictChroma } from '#engine/ai/colours'
import { stateOf } from '#engine/ai/installed'
import { openSession } from '#engine/ai/session'

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'qingtu-colours-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function named(id: string): ColourModel {
  const model = colourModels.find((one) => one.id === id)
  if (!model) throw new Error(`no model ${id}`)
  return model
}
function offered(bytes: Buffer): string {
  const path = join(folder, 'offered.onnx')
  writeFileSync(path, bytes)
  return path
}
const grey = (level: number, width: number, height: number) => ({ data: new Uint8Array(width * height).fill(level), width, height })

test('one model ships, and it is what the list says', async () => {
  expect(await Promise.all(colourModels.filter(({ tier }) => tier === 'default').map((model) => stateOf(model, undefined)))).toEqual([
    'shipped',
  ])
})

test('the shipped model is shown the whole picture in multiples of 32', () => {
  const model = named('qingtu-colourize')
  expect(inputSize(model, { width: 512, height: 341 })).toEqual({ width: 288, height: 192 })
  expect(inputSize(model, { width: 512, height: 1 })).toEqual({ width: 512, height: 192 })
  expect(inputSize(named('ddcolor'), { width: 512, height: 341 })).toEqual({ width: 512, height: 512 })
})

test.each([
  ['ddcolor', 3, 512, 1],
  ['colourize-256', 1, 256, 100],
])('%s is fed as its contract says, and refused when it answers otherwise', async (id, channels, side, white) => {
  const model = named(id)
  await acceptModel(model, offered(tinyColourModel(channels, side)), folder)
  expect(await stateOf(model, folder)).toBe('installed')
  const session = await openSession(join(folder, model.file))
  const { data, width, height } = await askForColours(session, model, grey(255, side, side))
  await session.release()
  expect([width, height]).toEqual([side, side])
  expect([data[0], data.at(-1)].map((value) => Math.round(value ?? 0))).toEqual([white, white])
  await expect(acceptModel(model, offered(tinyModel(side)), folder)).rejects.toThrow(Refused)
})

test('an operator’s model is asked in place of the shipped one', async () => {
  await acceptModel(named('colourize-256'), offered(tinyColourModel(1, 256)), folder)
  const { a, b } = await predictChroma(grey(119, 40, 30), folder)
  // It answers the lightness itself.
  for (const value of [...a, ...b]) expect(Math.abs(value - 50)).toBeLessThanOrEqual(1)
  const own = await predictChroma(grey(119, 40, 30))
  expect(own.a).not.toEqual(a)
})
