import { readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { blurredBy, things } from '../fixtures/blurred.ts'
import { psnr } from '../fixtures/degraded.ts'
import { runTool, testFolder } from '../fixtures/engine.ts'
import type { Rgb } from '#shared/effects/effect'
import { applyTo } from '#shared/effects/parts'
import { sharpen } from '#shared/effects/sharpen/sharpen'
import { parseOptions } from '#shared/tools/index'

const clear = things(220, 160)
const auto = parseOptions('sharpen', {})
const byHand = (amount: number) => parseOptions('sharpen', { strength: { by: 'manual', amount } })

function sharpened(picture: Rgb, options = auto): Uint8Array {
  const measure = sharpen.measure(picture, options, {})
  return measure === undefined ? picture.data : sharpen.apply(picture, measure, { left: 0, top: 0, whole: picture })
}

describe('a blurred picture comes nearer to what it was, however blurred', () => {
  test.each([1, 1.5, 2, 2.5])('by %d pixels', (sigma) => {
    const blurred = blurredBy(clear, sigma)
    expect(psnr(sharpened(blurred), clear.data)).toBeGreaterThan(psnr(blurred.data, clear.data) + 1.3)
  })

  test('its noise is not made stronger', () => {
    const blurred = blurredBy(clear, 1.5, 5)
    expect(psnr(sharpened(blurred), clear.data)).toBeGreaterThan(psnr(blurred.data, clear.data) - 0.2)
  })
})

test('beside an edge nothing goes beyond its levels by more than a twentieth', () => {
  const step = { data: new Uint8Array(120 * 40 * 3), width: 120, height: 40 }
  for (let at = 0; at < step.data.length; at++) step.data[at] = Math.floor(at / 3) % 120 < 57 ? 60 : 180
  for (const sigma of [1, 1.5, 2.5]) {
    for (const options of [auto, byHand(100)]) {
      const result = sharpened(blurredBy(step, sigma), options)
      expect(Math.max(...result)).toBeLessThanOrEqual(180 + 6 + 1)
      expect(Math.min(...result)).toBeGreaterThanOrEqual(60 - 6 - 1)
      expect(psnr(result, step.data)).toBeGreaterThan(psnr(blurredBy(step, sigma).data, step.data) + 1.3)
    }
  }
})

test('a sharp picture stays as it is, byte for byte', async () => {
  await using folder = await testFolder()
  const png = await sharp(clear.data, { raw: { width: 220, height: 160, channels: 3 } })
    .png()
    .toBuffer()
  const [output] = await runTool('sharpen', folder.path, png, {})
  expect((await readFile(output.path)).equals(png)).toBe(true)
})

test('more by hand changes more, nothing changes nothing, and the middle is what it does by itself', () => {
  const blurred = blurredBy(clear, 1.5)
  const changes = [0, 20, 50, 80, 100].map((amount) => 1 / psnr(sharpened(blurred, byHand(amount)), blurred.data))
  expect(changes).toEqual(changes.toSorted((a, b) => a - b))
  expect(new Set(changes).size).toBe(5)
  expect(sharpen.measure(blurred, byHand(0), {})).toBeUndefined()
  expect(Buffer.from(sharpened(blurred, byHand(50))).equals(sharpened(blurred))).toBe(true)
})

test('a part of a picture is what the whole has there', () => {
  const blurred = blurredBy(things(420, 240), 2)
  const measure = sharpen.measure(blurred, auto, {})
  if (measure === undefined) throw new Error('nothing was found')
  const whole = sharpened(blurred)
  for (const part of [
    { left: 0, top: 0, width: 420, height: 40 },
    { left: 300, top: 37, width: 50, height: 90 },
    { left: 411, top: 233, width: 9, height: 7 },
  ]) {
    const { data } = applyTo(sharpen, blurred, measure, part)
    const most = data.reduce((max, value, at) => {
      const [x, y] = [part.left + (Math.floor(at / 3) % part.width), part.top + Math.floor(at / 3 / part.width)]
      return Math.max(max, Math.abs(value - (whole[(y * 420 + x) * 3 + (at % 3)] ?? 0)))
    }, 0)
    expect(most).toBeLessThanOrEqual(1)
  }
})

test('what is tiny, flat, black or white comes out as it was', () => {
  for (const [width, height] of [
    [1, 1],
    [3, 2],
    [8, 8],
    [1, 60],
  ] as const) {
    for (const level of [0, 128, 255]) {
      const flat = { data: new Uint8Array(width * height * 3).fill(level), width, height }
      expect(sharpened(flat, byHand(100))).toEqual(flat.data)
      expect(sharpen.measure(flat, auto, {})).toBeUndefined()
    }
  }
})

test('grey stays grey, and what is transparent stays so', async () => {
  await using folder = await testFolder()
  const { data, width, height } = blurredBy(clear, 2)
  const raw = { raw: { width, height, channels: 3 as const } }
  const [grey] = await runTool('sharpen', folder.path, await sharp(data, raw).greyscale().png().toBuffer(), {})
  expect((await sharp(grey.path).metadata()).channels).toBe(1)
  const alpha = Buffer.alloc(width * height, 255).fill(0, 0, 4000)
  const mask = { raw: { width, height, channels: 1 as const } }
  const [clearTop] = await runTool('sharpen', folder.path, await sharp(data, raw).joinChannel(alpha, mask).png().toBuffer(), {})
  expect((await sharp(clearTop.path).extractChannel(3).raw().toBuffer()).equals(alpha)).toBe(true)
})
