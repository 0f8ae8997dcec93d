import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { film, gifOf } from '../fixtures/animations.ts'
import { drawnMatte } from '../fixtures/engine.ts'
import { readPicture } from '../fixtures/oracle.ts'
import { drawn, pdfOf } from '../fixtures/pdfs.ts'
import { photo, photoSamples } from '../fixtures/pictures.ts'
import { scannedPage } from '../fixtures/scans.ts'
import { writeBmp } from '#engine/codecs/bmp/write-bmp'
import { launchNode } from '#engine/launch'
import { cloudLimits } from '#engine/limits'
import { EnginePool } from '#engine/pool'
import type { InputFile } from '#engine/processor'
import { toWire } from '#shared/errors/app-error'
import { errorTexts } from '#shared/errors/codes'
import { isFormatId, type FormatId } from '#shared/formats'
import { fieldsOf, needsAttachment, parseOptions, startOptions, subjectOf, toolOf, tools, type ToolId } from '#shared/tools/index'
import { initialOf, initialOfCase, type Fields } from '#shared/tools/field'

const samples: Readonly<Partial<Record<FormatId, Buffer>>> = {
  jpeg: await photo(160, 120).jpeg({ quality: 95 }).toBuffer(),
  png: await photo(80, 60).png().toBuffer(),
  webp: await photo(160, 120).webp({ quality: 95 }).toBuffer(),
  avif: await photo(120, 90).avif({ quality: 90, effort: 0 }).toBuffer(),
  gif: await gifOf(film(80, 60, 2), [40, 50]),
  tiff: await photo(80, 60).tiff({ compression: 'lzw' }).toBuffer(),
  bmp: writeBmp({ data: photoSamples(80, 60), width: 80, height: 60, channels: 3 }),
  pdf: pdfOf([{ content: drawn('每一页都有文字', 60, 700) }]),
}
const sampleOf = (format: FormatId): Buffer => {
  const sample = samples[format]
  if (!sample) throw new Error(`no sample of ${format}`)
  return sample
}
/** A page with something to read, for the tool that reads pictures. */
const written = sharp(await scannedPage([{ text: '每一页都有文字', x: 60, y: 100, px: 40 }], { width: 480, height: 320 }))
const pages: Readonly<Partial<Record<FormatId, Buffer>>> = {
  jpeg: await written.clone().jpeg().toBuffer(),
  png: await written.clone().png().toBuffer(),
  webp: await written.clone().webp({ quality: 95 }).toBuffer(),
  tiff: await written.clone().tiff({ compression: 'lzw' }).toBuffer(),
  bmp: writeBmp({ data: await written.clone().raw().toBuffer(), width: 480, height: 320, channels: 3 }),
}
const sampleFor = (tool: ToolId, format: FormatId): Buffer => (tool === 'pdf-ocr' ? pages[format] : undefined) ?? sampleOf(format)
let folder = ''
// As the server starts them: what a tool needs beside its files must be in their view.
const pool = new EnginePool({ size: 2, limits: cloudLimits, launch: () => launchNode({ folder, reads: [] }) })
const mattes = new Map<string, InputFile>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'every-tool-'))
  await writeFile(join(folder, 'background'), sampleOf('jpeg'))
  for (const [format, sample] of Object.entries(samples).filter(([one]) => one !== 'pdf'))
    mattes.set(format, await drawnMatte(readPicture(sample), folder))
})
afterAll(async () => {
  pool.close()
  await rm(folder, { recursive: true, force: true })
})

async function run(tool: ToolId, input: unknown, format: FormatId, bytes = sampleFor(tool, format), signal = new AbortController().signal) {
  const out = await mkdtemp(join(folder, 'job-'))
  const path = join(out, 'input')
  await writeFile(path, bytes)
  const options = parseOptions(tool, input)
  const matte = mattes.get(format)
  const beside = {
    // What models see has its own tests; each look of theirs would cost a second here.
    ...(subjectOf(tool, options) && matte && { matte }),
    ...(needsAttachment(tool, options) && { attachment: { path: join(folder, 'background'), name: 'background.jpg' } }),
  }
  return pool.run({ tool, options, inputs: [{ path, name: 'input' }], ...beside }, out, { signal })
}

/** Options with one number at either end of its range, all else as in `start`; those of every case of a variant. */
function atBoundaries(fields: Fields, start: Record<string, unknown>): { label: string; options: Record<string, unknown> }[] {
  return Object.entries(fields).flatMap(([key, { view, label }]) => {
    if (view.kind === 'number')
      return [view.min, view.max].map((value) => ({ label: `${label} ${value}`, options: { ...start, [key]: value } }))
    if (view.kind === 'flag') return [true, false].map((value) => ({ label: `${label} ${value}`, options: { ...start, [key]: value } }))
    if (view.kind === 'choice')
      return view.choices.map(({ value }) => ({ label: `${label} ${value}`, options: { ...start, [key]: value } }))
    if (view.kind === 'text') return [{ label, options: { ...start, [key]: '字'.repeat(view.maxLength) } }]
    if (view.kind === 'colour')
      return ['#12ab9f', ...(view.canBeTransparent ? ['transparent'] : [])].map((value) => ({
        label: `${label} ${value}`,
        options: { ...start, [key]: value },
      }))
    if (view.kind === 'strokes') return [{ label, options: { ...start, [key]: [{ mode: 'erase', size: 1, hardness: 0, points: [0, 1] }] } }]
    if (view.kind === 'hints') return [{ label, options: { ...start, [key]: [{ colour: '#c02020', size: 1, points: [0, 1] }] } }]
    return Object.entries(view.cases).flatMap(([by, one]) =>
      atBoundaries(one.fields, initialOf(one.fields)).map((inner) => ({
        label: `${one.label} ${inner.label}`,
        options: { ...start, [key]: { ...initialOfCase(view.cases, by), ...inner.options } },
      })),
    )
  })
}

const isAccepted = (tool: ToolId, options: unknown): boolean => {
  try {
    return parseOptions(tool, options) !== undefined
  } catch {
    return false // two options at their ends may exclude each other
  }
}

describe.each(tools.map(({ id }) => id))('%s', (id) => {
  const tool = toolOf(id)
  const fields = fieldsOf(tool)
  // A tool may want something said that has no natural starting value (a size); its pages say it.
  const firstPage = startOptions({ tool, page: tool.pages[0] })
  const starts = isDeepStrictEqual(firstPage, initialOf(fields)) ? [firstPage] : [firstPage, initialOf(fields)]
  const offered = tool.accepts === 'any' ? Object.keys(samples).filter(isFormatId) : tool.accepts
  // The other formats are read in tests/engine/formats.test.ts, each once.
  const accepted = offered.filter((format) => samples[format] !== undefined)

  // The many options of a cut-out work on its matte, those of an ID photo and of effects on pixels, those of reading on a page, whatever format they came in: their ends are tried in one, or in the two that are read unlike.
  const few: readonly FormatId[] = id === 'pdf-ocr' ? ['pdf', 'jpeg'] : ['jpeg']
  const endsIn = ['cut-out', 'id-photo', 'pdf-ocr'].includes(id) || tool.section === 'effect' ? few : accepted

  test.each(accepted)('answers every page and every end of every range with a %s', async (format) => {
    const all = [
      ...tool.pages.map((page) => ({ label: page.path, options: startOptions({ tool, page }), isPage: true })),
      ...(endsIn.includes(format) ? starts : [])
        .flatMap((start) => atBoundaries(fields, start))
        .filter(({ options }) => isAccepted(id, options))
        .map((one) => ({ ...one, isPage: false })),
    ]
    expect(all.length).toBeGreaterThanOrEqual(tool.pages.length)
    await Promise.all(
      all.map(async ({ label, options, isPage }) => {
        const result = await run(id, options, format).then(
          (outputs) => outputs.length > 0 && outputs.every(({ bytes }) => bytes > 0),
          // An end of a range may make no sense of this picture (a crop beyond it), and then the answer says so.
          (error: unknown) => (!isPage && errorTexts[toWire(error).code].status === 422) || String(error),
        )
        expect({ label, result }).toEqual({ label, result: true })
      }),
    )
  })

  test.each(accepted.filter(() => tool.accepts !== 'any'))('calls a truncated %s unreadable', async (format) => {
    const cut = sampleOf(format).subarray(0, Math.floor(sampleOf(format).length * 0.6))
    await expect(run(id, firstPage, format, cut)).rejects.toMatchObject({ code: 'file.unreadable' })
  })

  test('stops when it is told to', async () => {
    const stop = new AbortController()
    const job = run(id, firstPage, 'jpeg', sampleOf('jpeg'), stop.signal)
    stop.abort()
    await expect(job).rejects.toMatchObject({ code: 'job.cancelled' })
  })
})
