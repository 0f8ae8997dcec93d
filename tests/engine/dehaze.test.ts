import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { things } from '../fixtures/blurred.ts'
import { psnr } from '../fixtures/degraded.ts'
import { runTool, testFolder } from '../fixtures/engine.ts'
import { hazedBy } from '../fixtures/hazed.ts'
import { randomFrom } from '../fixtures/pictures.ts'
import { dehaze } from '#shared/effects/dehaze/dehaze'
import type { Rgb } from '#shared/effects/effect'
import { applyTo } from '#shared/effects/parts'
import { parseOptions } from '#shared/tools/index'

const clear = things(240, 180)
const auto = parseOptions('dehaze', {})
const byHand = (amount: number) => parseOptions('dehaze', { strength: { by: 'manual', amount } })

function dehazed(picture: Rgb, options = auto): Uint8Array {
  const measure = dehaze.measure(picture, options, {})
  return measure === undefined ? picture.data : dehaze.apply(picture, measure, { left: 0, top: 0, whole: picture })
}

describe('a picture behind haze comes nearer to what it was', () => {
  test.each([
    ['that thins out downwards', (_: number, y: number) => 0.35 + 0.5 * y],
    ['that is the same everywhere', () => 0.5],
    ['that comes in swathes', (x: number, y: number) => 0.5 + 0.2 * Math.sin(5 * x) * Math.cos(4 * y)],
  ])('%s', (_, through) => {
    const hazed = hazedBy(clear, through)
    expect(psnr(dehazed(hazed), clear.data)).toBeGreaterThan(psnr(hazed.data, clear.data) + 6)
  })
})

test('a clear picture stays as it is, byte for byte', async () => {
  await using folder = await testFolder()
  const png = await sharp(clear.data, { raw: { width: 240, height: 180, channels: 3 } })
    .png()
    .toBuffer()
  const [output] = await runTool('dehaze', folder.path, png, {})
  expect((await readFile(output.path)).equals(png)).toBe(true)
})

test('a sky above hazy land gets no blotches and no cast', () => {
  const random = randomFrom(5)
  const scene = things(240, 180)
  for (let at = 0; at < 240 * 80 * 3; at++) scene.data[at] = 218 + 6 * (at / (240 * 80 * 3)) + 3 * random()
  const result = dehazed(hazedBy(scene, (_, y) => 0.4 + 0.4 * y))
  const sky = Array.from({ length: 200 * 50 }, (_, at) => ((10 + Math.floor(at / 200)) * 240 + 20 + (at % 200)) * 3)
  const levels = sky.map((at) => result[at] ?? 0)
  expect(Math.max(...levels) - Math.min(...levels)).toBeLessThan(24)
  expect(Math.max(...sky.map((at) => Math.abs((result[at] ?? 0) - (result[at + 2] ?? 0))))).toBeLessThan(16)
})

test('more by hand changes more, nothing changes nothing', () => {
  const hazed = hazedBy(clear, () => 0.6)
  const changes = [0, 20, 50, 80, 100].map((amount) => 1 / psnr(dehazed(hazed, byHand(amount)), hazed.data))
  expect(changes).toEqual(changes.toSorted((a, b) => a - b))
  expect(new Set(changes).size).toBe(5)
  expect(dehaze.measure(hazed, byHand(0), {})).toBeUndefined()
  expect(Buffer.from(dehazed(hazed, byHand(50))).equals(dehazed(hazed))).toBe(true)
})

test('a part of a picture is what the whole has there', () => {
  const hazed = hazedBy(things(700, 300), (x, y) => 0.4 + 0.3 * x + 0.2 * y)
  const measure = dehaze.measure(hazed, auto, {})
  if (measure === undefined) throw new Error('nothing was found')
  const whole = dehazed(hazed)
  for (const part of [
    { left: 0, top: 37, width: 700, height: 41 },
    { left: 611, top: 203, width: 89, height: 97 },
  ]) {
    const { data } = applyTo(dehaze, hazed, measure, part)
    for (let y = 0; y < part.height; y++) {
      const from = ((part.top + y) * 700 + part.left) * 3
      const row = Buffer.from(data.subarray(y * part.width * 3, (y + 1) * part.width * 3))
      expect(row.equals(whole.subarray(from, from + part.width * 3))).toBe(true)
    }
  }
})

test('what is tiny or flat stays as it is by itself, and is no trouble by hand', () => {
  for (const [width, height] of [
    [1, 1],
    [3, 2],
    [8, 8],
    [1, 60],
    [60, 1],
  ] as const) {
    for (const level of [0, 128, 255]) {
      const flat = { data: new Uint8Array(width * height * 3).fill(level), width, height }
      expect(dehaze.measure(flat, auto, {})).toBeUndefined()
      const result = dehazed(flat, byHand(100))
      expect(result).toHaveLength(flat.data.length)
      expect(new Set(result).size).toBe(1)
    }
  }
})

test('grey stays grey, and what is transparent stays so', async () => {
  await using folder = await testFolder()
  const { data, width, height } = hazedBy(clear, () => 0.5)
  const raw = { raw: { width, height, channels: 3 as const } }
  const [grey] = await runTool('dehaze', folder.path, await sharp(data, raw).greyscale().png().toBuffer(), {})
  expect((await sharp(grey.path).metadata()).channels).toBe(1)
  const alpha = Buffer.alloc(width * height, 255).fill(0, 0, 4000)
  const mask = { raw: { width, height, channels: 1 as const } }
  const [open] = await runTool('dehaze', folder.path, await sharp(data, raw).joinChannel(alpha, mask).png().toBuffer(), {})
  expect((await sharp(open.path).extractChannel(3).raw().toBuffer()).equals(alpha)).toBe(true)
})
