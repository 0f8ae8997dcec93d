import fc from 'fast-check'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { errorOnBoth, film, gifOf, plainGif, readGif, recording, shownAt, sprite } from '../fixtures/animations.ts'
import { compress, kb, testFolder, toSize } from '../fixtures/engine.ts'
import { animatedWebp, photo } from '../fixtures/pictures.ts'
import { clipOf } from '#engine/codecs/gif/clip'
import { encodeGif } from '#engine/codecs/gif/encode-gif'
import { fitGif } from '#engine/codecs/gif/fit-gif'
import { decode, openPicture } from '#engine/image/open'
import { localLimits } from '#engine/limits'

const delays = (count: number): number[] => Array.from({ length: count }, (_, index) => 40 + 10 * index)
const kinds = {
  film: await gifOf(film(120, 80, 8), delays(8), 3),
  recording: await gifOf(recording(160, 110, 10), delays(10)),
  sprite: await gifOf(sprite(110, 60, 12), delays(12)),
}
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const toQuality = (quality: number) => ({ goal: { by: 'quality', quality } })

describe.each(Object.entries(kinds))('%s', (_name, source) => {
  const before = readGif(source)

  test('without loss: another reader shows the same, for as long, as often', async () => {
    await using folder = await testFolder()
    const output = await compress(folder.path, source, toQuality(100))
    const after = readGif(await readFile(output.path))
    expect(output.bytes).toBeLessThanOrEqual(source.length)
    expect([sum(after.delaysCs), after.repeats]).toEqual([sum(before.delaysCs), before.repeats])
    const times = Array.from({ length: sum(before.delaysCs) }, (_, time) => time)
    const [left, right] = [shownAt(before, times), shownAt(after, times)]
    for (const time of times) expect(errorOnBoth(left[time] ?? Buffer.alloc(0), right[time] ?? Buffer.alloc(0))).toBe(0)
  })

  test('to a size: within it, near it, all frames still like theirs', async () => {
    await using folder = await testFolder()
    const targetKb = Number((kb(source.length) * 0.6).toFixed(1))
    const output = await compress(folder.path, source, toSize(targetKb))
    const after = readGif(await readFile(output.path))
    expect(kb(output.bytes)).toBeLessThanOrEqual(targetKb)
    expect([after.width, after.height]).toEqual([before.width, before.height])
    expect([sum(after.delaysCs), after.repeats]).toEqual([sum(before.delaysCs), before.repeats])
    const times = [0, 17, 31, sum(before.delaysCs) - 1]
    const [left, right] = [shownAt(before, times), shownAt(after, times)]
    // 26 dB: noise is seen, but nothing else than the frame itself comes so near.
    times.forEach((_, at) => expect(errorOnBoth(left[at] ?? Buffer.alloc(0), right[at] ?? Buffer.alloc(0))).toBeLessThan(160))
  })

  test('by strength: less quality, fewer bytes', async () => {
    await using folder = await testFolder()
    const sizes = await Promise.all(
      [5, 50, 95].map(async (quality) => (await compress(folder.path, source, toQuality(quality), `${quality}.gif`)).bytes),
    )
    expect(sizes.toSorted((left, right) => left - right)).toEqual(sizes)
    expect(sizes[0]).toBeLessThanOrEqual(source.length)
  })
})

test('what is transparent stays so, frame by frame, however strong the compression', async () => {
  await using folder = await testFolder()
  const before = readGif(kinds.sprite)
  const output = await compress(folder.path, kinds.sprite, toQuality(10))
  const after = readGif(await readFile(output.path))
  const times = Array.from({ length: sum(before.delaysCs) }, (_, time) => time)
  const [left, right] = [shownAt(before, times), shownAt(after, times)]
  const alphas = (frame: Buffer | undefined): Buffer => Buffer.from((frame ?? Buffer.alloc(0)).filter((_, at) => at % 4 === 3))
  for (const time of times) expect(alphas(right[time]).equals(alphas(left[time]))).toBe(true)
})

test('libvips reads the very frames omggif reads', async () => {
  await using folder = await testFolder()
  const output = await compress(folder.path, kinds.sprite, toQuality(40))
  const file = await readFile(output.path)
  const { data, info } = await sharp(file, { animated: true }).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const { frames, width } = readGif(file)
  expect([info.width, info.height]).toEqual([width, frames.length * 60])
  frames.forEach((frame, at) => expect(errorOnBoth(frame, data.subarray(at * frame.length, (at + 1) * frame.length))).toBe(0))
})

test('the error it reports is the one another reader finds', () => {
  const { width, height, frames } = film(60, 40, 5)
  const animation = { frames: 5, delaysMs: [], loop: 0 }
  const clip = clipOf({ data: Buffer.concat(frames), width, height, channels: 4, animation })
  const { bytes, meanSquaredError } = encodeGif(clip, { delaysCs: [4, 4, 4, 4, 4], repeats: 0 }, { lambda: 150, colours: 64, beam: 16 })
  const shown = readGif(bytes).frames
  const found = sum(frames.map((frame, at) => errorOnBoth(frame, shown[at] ?? Buffer.alloc(0)))) / 5
  expect(meanSquaredError).toBeGreaterThan(5)
  expect(found).toBeCloseTo(meanSquaredError, 6)
})

test('whatever the target, never above it, never larger than it was, never another length', async () => {
  await using folder = await testFolder()
  const source = await gifOf(film(48, 32, 5), delays(5))
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 10, max: 150 }), fc.boolean(), async (tenths, keepPixels) => {
      const output = await compress(folder.path, source, toSize(tenths / 10, { keepPixels }))
      const shown = readGif(await readFile(output.path))
      expect(output.bytes).toBeLessThanOrEqual(source.length)
      if (output.note?.kind === 'missed') expect(keepPixels).toBe(true)
      else expect(output.bytes).toBeLessThanOrEqual((tenths / 10) * 1024)
      expect(sum(shown.delaysCs)).toBe(sum(delays(5)) / 10)
      if (keepPixels) expect([shown.width, shown.height]).toEqual([48, 32])
    }),
    { numRuns: 15, seed: 20_261_121 },
  )
})

describe('times', () => {
  /** libvips writes what it is told; the bytes after each control extension's flags are the delay. */
  function withDelays(file: Buffer, delaysCs: readonly number[]): Buffer {
    const copy = Buffer.from(file)
    let at = -1
    for (const delay of delaysCs) {
      at = copy.indexOf(Buffer.from([0x21, 0xf9, 4]), at + 1)
      copy.writeUInt16LE(delay, at + 4)
    }
    return copy
  }

  test('of 0 and 1 stay as they are', async () => {
    await using folder = await testFolder()
    const source = withDelays(await gifOf(film(80, 60, 4), [50, 50, 50, 50]), [0, 1, 7, 300])
    const output = await compress(folder.path, source, toQuality(60))
    expect(readGif(await readFile(output.path)).delaysCs).toEqual([0, 1, 7, 300])
  })

  test('of equal frames are added up', async () => {
    await using folder = await testFolder()
    const still = recording(60, 100, 4)
    const held = { ...still, frames: still.frames.flatMap((frame) => [frame, frame]) }
    const source = plainGif(held, [5, 6, 7, 8, 9, 10, 11, 12])
    expect(readGif(source).frames).toHaveLength(8)
    const output = await compress(folder.path, source, toQuality(60))
    expect(readGif(await readFile(output.path)).delaysCs).toEqual([11, 15, 19, 23])
  })

  test('a GIF that plays once goes on doing so', async () => {
    await using folder = await testFolder()
    const source = await gifOf(film(80, 60, 4), delays(4), 1)
    expect(readGif(source).repeats).toBe(null)
    const output = await compress(folder.path, source, toQuality(60))
    expect(readGif(await readFile(output.path)).repeats).toBe(null)
  })
})

test('a single frame is compressed as well', async () => {
  await using folder = await testFolder()
  const source = await photo(200, 150).gif().toBuffer()
  const output = await compress(folder.path, source, toSize(10))
  expect(kb(output.bytes)).toBeLessThanOrEqual(10)
  expect(readGif(await readFile(output.path)).frames).toHaveLength(1)
})

test('a minimum is reached by a comment that other readers skip', async () => {
  await using folder = await testFolder()
  const before = readGif(kinds.film)
  for (const more of [1, 2, 4, 5, 255, 256, 257, 258, 300, 5000]) {
    const wanted = source(more)
    const output = await compress(folder.path, kinds.film, toSize(kb(wanted + 8), { minKb: kb(wanted) }))
    const file = await readFile(output.path)
    expect(file.length).toBeGreaterThanOrEqual(wanted)
    expect(file.length).toBeLessThanOrEqual(wanted + 8)
    expect(readGif(file).frames.map((frame, at) => frame.equals(before.frames[at] ?? Buffer.alloc(0)))).not.toContain(false)
  }
  function source(more: number): number {
    return kinds.film.length + more
  }
})

test('an animated WebP goes through the same way and stays a WebP', async () => {
  await using folder = await testFolder()
  const output = await compress(folder.path, await animatedWebp(100, 80, 5), toSize(6), 'moving.webp')
  expect(await sharp(output.path, { animated: true }).metadata()).toMatchObject({ format: 'webp', pages: 5, delay: [40, 50, 60, 70, 80] })
})

test('too many frames are told beforehand, a cut file is called unreadable', async () => {
  await using folder = await testFolder()
  const many = { width: 4, height: 4, frames: Array.from({ length: 501 }, (_, at) => Buffer.alloc(64, at % 256)) }
  await expect(compress(folder.path, plainGif(many, []), toSize(1))).rejects.toMatchObject({ code: 'image.too-many-frames' })
  for (const share of [0.3, 0.6, 0.95]) {
    const cut = kinds.film.subarray(0, Math.floor(kinds.film.length * share))
    await expect(compress(folder.path, cut, toSize(1))).rejects.toMatchObject({ code: 'file.unreadable' })
  }
})

describe('with little time left', () => {
  const source = gifOf(
    film(300, 300, 12),
    Array.from({ length: 12 }, () => 80),
  )
  const fitted = async (keepsPixels: boolean) => {
    await using folder = await testFolder()
    const path = join(folder.path, 'a.gif')
    await writeFile(path, await source)
    const pixels = await decode(await openPicture(path, ['gif'], localLimits), false)
    // A clock of its own: every look at it takes 5 ms, so that what is done depends on no machine.
    let left = 25
    return fitGif(pixels, await source, { limitBytes: 60_000, keepsPixels, msLeft: () => (left -= 5) })
  }

  test('there are fewer pixels a frame, and all of the time', async () => {
    const { bytes, width, isWithin } = await fitted(false)
    expect([isWithin, bytes.length <= 60_000, width < 300]).toEqual([true, true, true])
    expect(readGif(bytes).frames).toHaveLength(12)
  })

  test('there are fewer frames where the pixels must stay, and all of the time', async () => {
    const { bytes, width } = await fitted(true)
    const { delaysCs } = readGif(bytes)
    expect(width).toBe(300)
    expect(delaysCs.length).toBeLessThan(12)
    expect(delaysCs.length).toBeGreaterThan(1)
    expect(delaysCs.reduce((total, delay) => total + delay, 0)).toBe(96)
  })
})
