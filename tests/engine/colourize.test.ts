import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { testFolder } from '../fixtures/engine.ts'
import { photo } from '../fixtures/pictures.ts'
import { localLimits } from '#engine/limits'
import type { Job, OutputFile } from '#engine/processor'
import { run } from '#engine/run'
import { chromaSize, encodeChroma, greyOf, type Chroma } from '#shared/effects/colourize/chroma'
import { parseOptions } from '#shared/tools/index'

interface Asked {
  readonly options?: object
  readonly chroma?: Buffer
  readonly reference?: Buffer
  readonly wantsParts?: boolean
  readonly name?: string
}

async function colour(source: Buffer, { options = {}, chroma, reference, wantsParts = false, name = 'old.jpg' }: Asked) {
  await using folder = await testFolder()
  const lay = async (bytes: Buffer, as: string) => {
    const path = join(folder.path, as)
    await writeFile(path, bytes)
    return { path, name: as }
  }
  const job: Job<'colourize'> = {
    tool: 'colourize',
    options: parseOptions('colourize', options) as Job<'colourize'>['options'], // parsed for this very tool
    inputs: [{ ...(await lay(source, 'source')), name }],
    ...(chroma && { chroma: await lay(chroma, 'chroma.png') }),
    ...(reference && { attachment: await lay(reference, 'reference.jpg') }),
    wantsParts,
  }
  const out = await mkdtemp(join(folder.path, 'out-'))
  const outputs = await run(job, { folder: out, limits: localLimits, msLeft: () => 60_000, progress: () => {} })
  const files = await Promise.all(outputs.map(async (output) => ({ output, bytes: await readFile(output.path) })))
  const [first] = files
  if (!first) throw new Error('no output')
  return { ...first, files }
}

const samples = async (bytes: Buffer) => {
  const { data, info } = await sharp(bytes).removeAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  return { data: new Uint8Array(data), width: info.width, height: info.height }
}
const grey = (width: number, height: number) => photo(width, height).toColourspace('b-w').png().toBuffer()

/** A chroma of one colour, as an earlier job leaves it: with it no model looks at the picture. */
async function chromaFile(size: { width: number; height: number }, a: number, b: number): Promise<Buffer> {
  const { width, height } = chromaSize(size)
  const count = width * height
  const chroma: Chroma = { a: new Int8Array(count).fill(a), b: new Int8Array(count).fill(b), width, height }
  return sharp(encodeChroma(chroma).data, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer()
}

const meanOf = ({ data }: { data: Uint8Array }): readonly number[] =>
  [0, 1, 2].map((channel) => data.reduce((sum, value, at) => (at % 3 === channel ? sum + value : sum), 0) / (data.length / 3))

const isMarked = (bytes: Buffer): boolean => bytes.includes('TC260')

describe('by a model', () => {
  test('colours a grey photo, keeps its light and marks it', async () => {
    const source = await grey(160, 120)
    const { output, bytes } = await colour(source, { name: 'old.png' })
    expect(output).toMatchObject({ format: 'png', width: 160, height: 120, name: 'old.png' })
    expect(output.note).toBeUndefined()
    expect(isMarked(bytes)).toBe(true)
    const seen = await samples(bytes)
    expect(greyOf(seen).data).toEqual(greyOf(await samples(source)).data)
    expect(seen.data.some((value, at) => at % 3 === 0 && Math.abs(value - (seen.data[at + 2] ?? 0)) > 8)).toBe(true)
  })

  test('takes what an earlier job found, and leaves it and the source for an editor', async () => {
    const source = await grey(700, 300)
    const chroma = await chromaFile({ width: 700, height: 300 }, 25, -10)
    const { bytes, files } = await colour(source, { chroma, wantsParts: true, name: 'old.png' })
    const [red = 0, green = 0, blue = 0] = meanOf(await samples(bytes))
    expect(red - green).toBeGreaterThan(15)
    expect(blue - green).toBeGreaterThan(10)
    expect(files.map(({ output }): OutputFile['part'] => output.part)).toEqual([undefined, 'chroma', 'source'])
    const [, part] = files
    expect(part?.output).toMatchObject({ format: 'png', width: 512, height: 219 })
    expect((await samples(part?.bytes ?? chroma)).data).toEqual((await samples(chroma)).data)
  })

  test('finds anew what is no chroma of this picture', async () => {
    const source = await grey(60, 40)
    const found = await colour(source, { wantsParts: true })
    const other = await colour(source, { chroma: await chromaFile({ width: 50, height: 40 }, 90, 90), wantsParts: true })
    expect(other.files[1]?.bytes).toEqual(found.files[1]?.bytes)
  })
})

describe('by hints alone', () => {
  const all = [{ colour: '#b05050', size: 1, points: [0.5, 0.5] }]

  test('gives their colour, with no mark', async () => {
    const { bytes, output } = await colour(await grey(90, 60), { options: { colours: { by: 'none' }, hints: all } })
    const [red = 0, green = 0] = meanOf(await samples(bytes))
    expect(red - green).toBeGreaterThan(30)
    expect(isMarked(bytes)).toBe(false)
    expect(output.note).toBeUndefined()
  })

  test.each([
    ['no hint', { colours: { by: 'none' } }],
    ['no strength', { colours: { by: 'none' }, hints: all, strength: { by: 'manual', amount: 0 } }],
  ])('leaves the file as it is with %s', async (_, options) => {
    const source = await grey(30, 20)
    const { bytes, output } = await colour(source, { options })
    expect(bytes).toEqual(source)
    expect(output.note).toEqual({ kind: 'unchanged' })
  })

  test('makes a colour photo grey first, and says so; a tinted one too, without a word', async () => {
    const options = { colours: { by: 'none' }, hints: [{ ...all[0], colour: '#808080' }] }
    const colours = Buffer.from(
      Array.from({ length: 60 * 40 * 3 }, (_, at) => (Math.floor(at / 3) % 60 < 30 ? [200, 90, 60] : [60, 120, 200])[at % 3] ?? 0),
    )
    const file = await sharp(colours, { raw: { width: 60, height: 40, channels: 3 } })
      .png()
      .toBuffer()
    const made = await colour(file, { options })
    expect(made.output.note).toEqual({ kind: 'in-colour' })
    expect((await samples(made.bytes)).data.every((value, at, others) => Math.abs(value - (others[at - (at % 3)] ?? 0)) <= 1)).toBe(true)
    const sepia = await photo(60, 40).toColourspace('b-w').toColourspace('srgb').tint('#a08050').png().toBuffer()
    expect((await colour(sepia, { options })).output.note).toBeUndefined()
  })

  test('keeps transparency, and what is seen through it', async () => {
    const source = await sharp(await photo(64, 48, 4).png().toBuffer())
      .toColourspace('b-w')
      .png()
      .toBuffer()
    const { bytes } = await colour(source, { options: { colours: { by: 'none' }, hints: all } })
    const alpha = async (file: Buffer) => sharp(file).extractChannel('alpha').raw().toBuffer()
    expect(await alpha(bytes)).toEqual(await alpha(source))
  })

  test.each([
    [1, 1],
    [3, 2],
    [8, 8],
    [1, 40],
  ])('takes %i × %i pixels', async (width, height) => {
    const { output } = await colour(await grey(width, height), { options: { colours: { by: 'none' }, hints: all } })
    expect([output.width, output.height]).toEqual([width, height])
  })
})

describe('by a reference photo', () => {
  /** Bright sky over dark ground, in colour or not. */
  const scene = (sky: string, ground: string, width = 120, height = 80) =>
    sharp({ create: { width, height, channels: 3, background: sky } })
      .composite([{ input: { create: { width, height: height / 2, channels: 3, background: ground } }, left: 0, top: height / 2 }])
      .png()
      .toBuffer()
  const options = { colours: { by: 'reference' } }

  test('gives each part the colour of what is like it there', async () => {
    const reference = await scene('#a0c0e8', '#50602c', 200, 100)
    const { bytes } = await colour(await scene('#b8b8b8', '#505050'), { options, reference })
    const { data } = await samples(bytes)
    const at = (y: number): readonly number[] => [...data.subarray((y * 120 + 60) * 3, (y * 120 + 60) * 3 + 3)]
    const [sky, ground] = [at(15), at(65)]
    expect((sky[2] ?? 0) - (sky[0] ?? 0)).toBeGreaterThan(30)
    expect((ground[1] ?? 0) - (ground[2] ?? 0)).toBeGreaterThan(20)
    expect(isMarked(bytes)).toBe(false)
  })

  test('is refused where it is missing, broken or grey', async () => {
    const source = await grey(40, 30)
    const codeOf = (reference?: Buffer) =>
      colour(source, { options, ...(reference && { reference }) }).then(
        () => 'done',
        (thrown: { code?: string }) => thrown.code,
      )
    expect(await codeOf()).toBe('options.background-missing')
    expect(await codeOf(Buffer.from('no picture'))).toBe('colourize.reference-unreadable')
    expect(await codeOf(await grey(50, 50))).toBe('colourize.reference-grey')
  })
})
