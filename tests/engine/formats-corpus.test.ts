import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { openConversions } from '../fixtures/conversions.ts'
import { AppError } from '#shared/errors/app-error'

// Real files from outside, which the project does not hold itself.
const corpus = fileURLToPath(new URL('../../../shared/corpus/images', import.meta.url))
if (!existsSync(corpus)) console.warn('no shared/corpus/images beside the project: real files are not read')
const { convert, converted, close } = await openConversions()
afterAll(close)

/** Files no reader here is expected to read: `mini` boxes of a draft, 2-bit and broken colour tables, luminance with chroma, Windows drawings. */
const beyond = /lightning_mini|pal2\.bmp|pal2color|pal8oversizepal|b5-unused-cmap|sample\.exr|\.emf$/

const outcome = async (path: string, name: string): Promise<string> => {
  try {
    const [output] = await convert(readFileSync(path), name, { format: 'png', pages: 'first' })
    return `${output?.width !== undefined && output.width > 0 ? 'done' : 'empty'}`
  } catch (error) {
    return error instanceof AppError ? error.code : String(error)
  }
}

const categories = [
  'apng',
  'avif',
  'bmp',
  'gif',
  'heic',
  'hdr_misc',
  'ico',
  'jp2',
  'jxl',
  'png16',
  'psd',
  'svg',
  'tga',
  'tiff',
  'webp',
] as const

describe.skipIf(!existsSync(corpus))('real files', () => {
  test.each(categories)('of %s are read', async (category) => {
    const names = readdirSync(join(corpus, category)).filter((name) => !beyond.test(name))
    const outcomes = await Promise.all(names.map(async (name) => [name, await outcome(join(corpus, category, name), name)]))
    expect(outcomes.filter(([, code]) => code !== 'done')).toEqual([])
  })

  test('that are broken fail with words of ours, or give a picture', async () => {
    const names = readdirSync(join(corpus, 'corrupt'))
    const outcomes = await Promise.all(names.map(async (name) => [name, await outcome(join(corpus, 'corrupt', name), name)]))
    const clean = /^(done|file\.(unreadable|unsupported|unusual-encoding|empty)|image\.too-many-(pixels|frames))$/
    expect(outcomes.filter(([, code]) => !clean.test(code ?? ''))).toEqual([])
  })

  test('from a phone held upright stay upright, and are not turned twice', async () => {
    const name = 'IMG_2927.HEIC'
    const { width, height } = await sharp(
      await converted(readFileSync(join(corpus, 'heic', name)), name, { format: 'jpeg', keepMetadata: true }),
    ).metadata()
    expect([width, height]).toEqual([3024, 4032])
  })
})
