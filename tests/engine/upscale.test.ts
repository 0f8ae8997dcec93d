import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { psnr } from '../fixtures/degraded.ts'
import { photo, photoSamples, randomFrom } from '../fixtures/pictures.ts'
import { runAndRead, sidesOf } from '../fixtures/run-and-read.ts'
import { testFolder } from '../fixtures/engine.ts'
import { openDoubler } from '#engine/ai/doubler'
import { upscaled } from '#engine/effects/upscaled'
import { localLimits } from '#engine/limits'
import { run } from '#engine/run'
import type { Pixels } from '#engine/image/pixels'
import { resample } from '#shared/effects/math/resample'
import { disturbanceOf } from '#shared/effects/upscale/disturbance'
import { enlarge, plainDoubler, reachOf, type Manner } from '#shared/effects/upscale/enlarge'
import { planesOf } from '#shared/effects/upscale/planes'
import { parseOptions } from '#shared/tools/index'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const all: Manner = { times: 2, share: 1, disturbance: 0 }
const quiet = (): void => {}

/** Lines and curves as sharp as sixteen samples a pixel make them. */
const drawing = (width: number, height: number): Promise<Buffer> =>
  sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 96 96"><rect width="96" height="96" fill="#dce"/>
      <circle cx="40" cy="44" r="23" fill="#347" stroke="#a31" stroke-width="3"/><path d="M5 90 L90 8 M8 12 L60 92" stroke="#152" stroke-width="2"/>
      <rect x="58" y="54" width="27" height="31" transform="rotate(17 70 70)" fill="#d92"/></svg>`,
    ),
  )
    .removeAlpha()
    .raw()
    .toBuffer()

const pixels = (data: Buffer, width: number, height: number, channels: Pixels['channels'] = 3): Pixels => ({
  data,
  width,
  height,
  channels,
})

/** A picture at half its size, as a camera of half the pixels might have it. */
function halved(data: Uint8Array, width: number, height: number): Buffer {
  const out = Buffer.alloc((data.length / 4) | 0)
  for (const colour of [0, 1, 2]) {
    const plane = { data: Float32Array.from({ length: width * height }, (_, at) => data[at * 3 + colour] ?? 0), width, height }
    resample(plane, { width: width / 2, height: height / 2 }, 'cubic').data.forEach((value, at) => {
      out[at * 3 + colour] = Math.max(0, Math.min(255, Math.round(value)))
    })
  }
  return out
}

function bicubic(data: Uint8Array, width: number, height: number): Uint8Array {
  const out = new Uint8Array(data.length * 4)
  for (const colour of [0, 1, 2]) {
    const plane = { data: Float32Array.from({ length: width * height }, (_, at) => data[at * 3 + colour] ?? 0), width, height }
    resample(plane, { width: width * 2, height: height * 2 }, 'cubic').data.forEach((value, at) => {
      out[at * 3 + colour] = Math.max(0, Math.min(255, Math.round(value)))
    })
  }
  return out
}

describe('the net', () => {
  test('comes a decibel nearer to what was there than a bicubic enlargement', async () => {
    const whole = await drawing(96, 96)
    const small = halved(whole, 96, 96)
    const result = await upscaled(pixels(small, 48, 48), await openDoubler(), all, quiet)
    expect(psnr(result.data, whole)).toBeGreaterThan(psnr(bicubic(small, 48, 48), whole) + 1)
  })

  test.each([2, 3, 4] as const)('leaves no seam where tiles meet at %i times', async (times) => {
    const doubler = await openDoubler()
    const picture = { data: new Uint8Array(photoSamples(56, 40)), width: 56, height: 40 }
    const manner = { times, share: 1, disturbance: 4 }
    const reach = reachOf(doubler, times)
    const of = (left: number, width: number) =>
      enlarge(planesOf(picture, { left: left - reach, top: -reach, width: width + 2 * reach, height: 40 + 2 * reach }), doubler, manner)
    const [[whole], [left], [right]] = [await of(0, 56), await of(0, 23), await of(23, 33)]
    let most = 0
    for (let y = 0; y < whole.height; y++) {
      for (let x = 0; x < whole.width; x++) {
        const part = x < left.width ? left.data[y * left.width + x] : right.data[y * right.width + x - left.width]
        most = Math.max(most, Math.abs((part ?? NaN) - (whole.data[y * whole.width + x] ?? 0)))
      }
    }
    expect(most).toBeLessThan(0.5)
  })

  test('makes less of noise than of edges, and of what is clean all it can', () => {
    const random = randomFrom(3)
    const flat = new Uint8Array(64 * 64 * 3).fill(120)
    const noisy = flat.map((value) => value + Math.round(30 * (random() + random() - 1)))
    expect(disturbanceOf({ data: flat, width: 64, height: 64 })).toBe(0)
    expect(disturbanceOf({ data: noisy, width: 64, height: 64 })).toBeGreaterThan(4)
  })

  test('does not make blocks of a JPEG more visible than they were', async () => {
    const jpeg = await photo(96, 96).jpeg({ quality: 12 }).toBuffer()
    const data = await sharp(jpeg).raw().toBuffer()
    const source = { data: new Uint8Array(data), width: 96, height: 96 }
    const disturbance = disturbanceOf(source)
    expect(disturbance).toBeGreaterThan(0.5)
    const doubler = await openDoubler()
    const roughness = ({ data: samples, width }: Pixels): number => {
      let sum = 0
      for (let at = 3; at < samples.length - 3; at += 3) {
        if ((at / 3) % width !== 0) sum += Math.abs((samples[at] ?? 0) - (samples[at - 3] ?? 0))
      }
      return sum
    }
    const [damped, full] = [
      await upscaled(pixels(data, 96, 96), doubler, { ...all, disturbance }, quiet),
      await upscaled(pixels(data, 96, 96), doubler, all, quiet),
    ]
    expect(roughness(damped)).toBeLessThan(roughness(full))
  })
})

describe('what comes of it', () => {
  test.each([
    [1, 1],
    [3, 2],
    [8, 8],
    [1, 40],
    [40, 1],
  ])('has the sides asked for, of %i by %i too', async (width, height) => {
    for (const scale of ['2', '3', '4']) {
      const { seen } = await runAndRead('upscale', await photo(width, height).png().toBuffer(), { scale })
      expect(sidesOf(seen)).toEqual([width * Number(scale), height * Number(scale)])
    }
  })

  test('stays flat, black, white and grey where its source is', async () => {
    for (const [level, scale] of [
      [0, '2'],
      [255, '3'],
      [131, '4'],
    ] as const) {
      const source = await sharp(Buffer.alloc(20 * 20, level), { raw: { width: 20, height: 20, channels: 1 } })
        .toColourspace('b-w')
        .png()
        .toBuffer()
      const { bytes } = await runAndRead('upscale', source, { scale })
      expect((await sharp(bytes).metadata()).channels).toBe(1)
      const data = await sharp(bytes).raw().toBuffer()
      expect(data.every((value) => Math.abs(value - level) <= 1)).toBe(true)
    }
  })

  test('keeps transparency, and no colour of what was not seen', async () => {
    const data = Buffer.alloc(32 * 32 * 4)
    for (let at = 0; at < 32 * 32; at++) data.set(at % 32 < 16 ? [40, 160, 60, 255] : [255, 0, 255, 0], at * 4)
    const source = await sharp(data, { raw: { width: 32, height: 32, channels: 4 } })
      .png()
      .toBuffer()
    const { bytes } = await runAndRead('upscale', source, {})
    const result = await sharp(bytes).raw().toBuffer()
    expect([result[3], result[63 * 4 + 3]]).toEqual([255, 0])
    for (let at = 0; at < result.length; at += 4) {
      if ((result[at + 3] ?? 0) < 8) continue
      expect(Math.abs((result[at] ?? 0) - 40) + Math.abs((result[at + 1] ?? 0) - 160)).toBeLessThan(12)
    }
  })

  test('at strength 0 is the plain enlargement, and each step further is further from it', async () => {
    const source = await sharp(halved(await drawing(96, 96), 96, 96), { raw: { width: 48, height: 48, channels: 3 } })
      .png()
      .toBuffer()
    const at = async (amount: number): Promise<Buffer> => {
      const { bytes } = await runAndRead('upscale', source, { strength: { by: 'manual', amount } })
      return sharp(bytes).raw().toBuffer()
    }
    const plain = await at(0)
    const far = [25, 50, 100].map(async (amount) =>
      (await at(amount)).reduce((sum, value, place) => sum + Math.abs(value - (plain[place] ?? 0)), 0),
    )
    const [quarter = 0, half = 0, most = 0] = await Promise.all(far)
    expect(quarter).toBeGreaterThan(0)
    expect(half).toBeGreaterThan(quarter)
    expect(most).toBeGreaterThan(half)
  })

  test('says that a model made it, in a format that can', async () => {
    const kinds = [
      ['png', 'png'],
      ['webp', 'webp'],
      ['jpeg', 'jpeg'],
      ['tiff', 'png'],
      ['avif', 'jpeg'],
    ] as const
    for (const [from, to] of kinds) {
      const { output, bytes } = await runAndRead('upscale', await photo(24, 24)[from]().toBuffer(), {}, `图.${from}`)
      expect(output.format).toBe(to)
      const { xmp } = await sharp(bytes).metadata()
      expect(xmp?.toString()).toContain('TC260:AIGC')
    }
  })

  test('keeps the colour profile of its source', async () => {
    const { bytes } = await runAndRead('upscale', await photo(24, 24).withIccProfile('p3').png().toBuffer(), {})
    expect((await sharp(bytes).metadata()).icc).toBeDefined()
  })

  test('is refused before any work where it would be too large', async () => {
    await using folder = await testFolder()
    const path = join(folder.path, 'large.png')
    await writeFile(
      path,
      await sharp({ create: { width: 400, height: 300, channels: 3, background: '#345' } })
        .png()
        .toBuffer(),
    )
    const job = run(
      { tool: 'upscale', options: parseOptions('upscale', { scale: '4' }), inputs: [{ path, name: 'large.png' }] },
      { folder: folder.path, limits: { ...localLimits, maxPixels: 1e6 }, msLeft: () => 60_000, progress: quiet },
    )
    await expect(job).rejects.toMatchObject({ code: 'image.too-many-pixels' })
  })

  test('is sharper than bicubic without a net too', async () => {
    const whole = await drawing(96, 96)
    const small = halved(whole, 96, 96)
    const result = await upscaled(pixels(small, 48, 48), plainDoubler, all, quiet)
    expect(psnr(result.data, whole)).toBeGreaterThan(psnr(bicubic(small, 48, 48), whole) + 0.5)
  })
})
