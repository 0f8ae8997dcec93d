import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { drawnPicture, overlapOf } from '../fixtures/drawn-subjects.ts'
import { tinyModel } from '../fixtures/tiny-model.ts'
import { acceptModel, Refused } from '#engine/ai/accept'
import { ask } from '#engine/ai/ask'
import { modelFor, shippedFolder, stateOf } from '#engine/ai/installed'
import { models, type Model } from '#engine/ai/models'
import { predictMatte } from '#engine/ai/predict'
import { sessionOf } from '#engine/ai/session'

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'qingtu-models-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function named(id: string): Model {
  const model = models.find((one) => one.id === id)
  if (!model) throw new Error(`no model ${id}`)
  return model
}

/** A file to be added, which is not yet where it is used. */
function offered(bytes: Buffer | string): string {
  mkdirSync(join(folder, 'offered'), { recursive: true })
  const path = join(folder, 'offered', 'file.onnx')
  writeFileSync(path, bytes)
  return path
}

describe('the registry', () => {
  test('has one shipped model that fits every subject, checked by SHA-256', async () => {
    const shipped = models.filter(({ tier }) => tier === 'default')
    expect(shipped.map(({ subjects, digest }) => [subjects, digest?.algorithm])).toEqual([[['person', 'goods', 'general'], 'sha256']])
    expect(await stateOf(named('u2netp'), undefined)).toBe('shipped')
  })

  test('names no model and no file twice', () => {
    expect(new Set(models.map(({ id }) => id)).size).toBe(models.length)
    expect(new Set(models.map(({ file }) => file)).size).toBe(models.length)
  })
})

describe('the model for a subject', () => {
  test.each(['person', 'goods', 'general'] as const)('of kind %s is the shipped one where nothing else is there', async (subject) => {
    for (const modelsFolder of [undefined, folder, join(folder, 'nowhere')]) {
      expect((await modelFor(subject, modelsFolder)).model.id).toBe('u2netp')
    }
  })

  test('is an added one for the subjects it is for, and no other', async () => {
    const sha256 = await acceptModel(named('modnet'), offered(tinyModel(512)), folder)
    expect(sha256).toBe(createHash('sha256').update(tinyModel(512)).digest('hex'))
    expect(await stateOf(named('modnet'), folder)).toBe('installed')
    expect((await modelFor('person', folder)).model.id).toBe('modnet')
    expect((await modelFor('goods', folder)).model.id).toBe('u2netp')
  })

  test('is the shipped one again once an added file has changed', async () => {
    await acceptModel(named('modnet'), offered(tinyModel(512)), folder)
    writeFileSync(join(folder, named('modnet').file), Buffer.concat([tinyModel(512), Buffer.from([0])]))
    expect(await stateOf(named('modnet'), folder)).toBe('changed')
    expect((await modelFor('person', folder)).model.id).toBe('u2netp')
  })

  test('is never a file that was laid there under a name alone', async () => {
    for (const { file, tier } of models) if (tier === 'hd') writeFileSync(join(folder, file), tinyModel(1024))
    expect(await stateOf(named('modnet'), folder)).toBe('unknown')
    expect(await stateOf(named('isnet'), folder)).toBe('changed')
    expect((await modelFor('person', folder)).model.id).toBe('u2netp')
  })

  test('answers with what the added model sees', async () => {
    await acceptModel(named('modnet'), offered(tinyModel(512)), folder)
    const { data, width, height } = await drawnPicture('person', 600, 600, { across: 0.5, top: 0.2, tall: 0.8 })
    const { matte } = await predictMatte({ data, width, height, channels: 3 }, 'person', { modelsFolder: folder })
    // The tiny model tells bright from dark: the sky is brighter than the coat.
    expect(matte.data[10 * width + 10]).toBeGreaterThan(matte.data[560 * width + 300] ?? 255)
  })

  test('answers with what the shipped one sees where the added model is unsure, or sees nothing', async () => {
    await acceptModel(named('modnet'), offered(tinyModel(512)), folder)
    const { data, width, height, alpha } = await drawnPicture('person', 600, 600, { across: 0.5, top: 0.2, tall: 0.8 })
    for (const brightness of [0.7, 0.5]) {
      // In the dark the tiny model sees little, then nothing: no pixel is brighter than this.
      const dark = Buffer.from(data.map((value) => value * brightness))
      const { matte, isSure } = await predictMatte({ data: dark, width, height, channels: 3 }, 'person', { modelsFolder: folder })
      expect(overlapOf(alpha, matte.data)).toBeGreaterThan(0.9)
      expect(isSure).toBe(true)
    }
  })
})

describe('adding a file', () => {
  test.each([
    ['that is not the one its source publishes', 'isnet', tinyModel(1024)],
    ['that is no model', 'modnet', 'not a model'],
    ['that takes pictures of another size', 'modnet', tinyModel(320)],
  ])('%s is refused and leaves nothing behind', async (_, id, bytes) => {
    await expect(acceptModel(named(id), offered(bytes), folder)).rejects.toThrow(Refused)
    expect(readdirSync(folder)).toEqual(['offered'])
  })

  test('keeps what was recorded of other files', async () => {
    writeFileSync(join(folder, 'models.json'), JSON.stringify({ 'other.onnx': 'ab' }))
    await acceptModel(named('modnet'), offered(tinyModel(512)), folder)
    const record: unknown = JSON.parse(readFileSync(join(folder, 'models.json'), 'utf8'))
    expect(record).toMatchObject({ 'other.onnx': 'ab', [named('modnet').file]: expect.stringMatching(/^[0-9a-f]{64}$/) })
  })
})

describe('the session', () => {
  test('of a model is kept, and released when another model is used', async () => {
    const shipped = join(shippedFolder, named('u2netp').file)
    const copy = join(folder, 'copy.onnx')
    copyFileSync(shipped, copy)
    const look = async (path: string): Promise<unknown> => ask(await sessionOf(path), named('u2netp'), Buffer.alloc(320 * 320 * 3), false)
    const first = await sessionOf(shipped)
    await look(shipped)
    expect(await sessionOf(shipped)).toBe(first)
    await look(copy)
    await expect(ask(first, named('u2netp'), Buffer.alloc(320 * 320 * 3), false)).rejects.toThrow(/.+/)
  })

  test('of a file that could not be loaded is tried anew', async () => {
    const path = join(folder, 'late.onnx')
    await expect(sessionOf(path)).rejects.toThrow(/.+/)
    writeFileSync(path, tinyModel(8))
    expect((await sessionOf(path)).inputNames).toEqual(['picture'])
  })
})
