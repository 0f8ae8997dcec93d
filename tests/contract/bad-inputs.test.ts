import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { badInputs } from '../fixtures/bad-inputs.ts'
import { photo } from '../fixtures/pictures.ts'
import { residentBytes } from '#engine/launch'
import { cloudLimits } from '#engine/limits'
import { EnginePool } from '#engine/pool'
import { AppError, messageOf, toWire } from '#shared/errors/app-error'

const inputs = await badInputs()
const pool = new EnginePool({ size: 1, limits: cloudLimits })
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bad-inputs-'))
})
afterAll(async () => {
  pool.close()
  await rm(folder, { recursive: true, force: true })
})

/** Compresses one file to 3 KB; its result or the code of its failure. */
async function outcome(name: string, bytes: Buffer): Promise<{ code: string; outputs: Awaited<ReturnType<EnginePool['run']>> }> {
  const path = join(folder, name)
  await writeFile(path, bytes)
  const out = await mkdtemp(join(folder, 'out-'))
  const options = { goal: { by: 'size', targetKb: 3, minKb: undefined, keepPixels: false }, keepMetadata: false } as const
  try {
    return { code: 'done', outputs: await pool.run({ tool: 'compress-image', options, inputs: [{ path, name }] }, out) }
  } catch (error) {
    expect(await readdir(out), 'nothing half-made is left').toEqual([])
    if (!(error instanceof AppError)) throw error
    expect(messageOf(toWire(error))).toMatch(/[一-鿿].*。$/)
    return { code: error.code, outputs: [] }
  }
}

test.each(inputs.map((input) => [input.title, input] as const))('%s', async (_title, { name, bytes, expected }) => {
  const { code, outputs } = await outcome(name, bytes)
  expect(expected).toContain(code)
  for (const output of outputs) {
    expect((await stat(output.path)).size).toBe(output.bytes)
    expect(output.bytes).toBeLessThanOrEqual(Math.max(3 * 1024, 0))
  }
  for (const pid of pool.pids) expect(residentBytes(pid) ?? 0).toBeLessThan(cloudLimits.maxResidentBytes)
  const good = await outcome('good.jpg', await photo(64, 48).jpeg().toBuffer())
  expect(good.code, 'the next file is served').toBe('done')
})

test('a file of another kind behind a picture does not travel on', async () => {
  const polyglot = inputs.find(({ name }) => name === 'polyglot.jpg')
  const { outputs } = await outcome('polyglot.jpg', polyglot?.bytes ?? Buffer.alloc(0))
  expect((await readFile(outputs[0]?.path ?? '')).includes('PK\x03\x04')).toBe(false)
})

test('a PNG that calls itself JPG is answered as the PNG it is', async () => {
  const { outputs } = await outcome('photo.jpg', await photo(300, 200).png().toBuffer())
  expect(outputs[0]).toMatchObject({ name: 'photo.png', format: 'png' })
})
